# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: control flow, error exits, assumptions.
slicer_libcsslicer_a_SOURCES += \
	slicer/control/assume.c \
	slicer/control/assume.h \
	slicer/control/assume_text.c \
	slicer/control/called.c \
	slicer/control/called.h \
	slicer/control/caught.c \
	slicer/control/caught.h \
	slicer/control/cfg.c \
	slicer/control/cfg.h \
	slicer/control/condition_text.c \
	slicer/control/condition_text.h \
	slicer/control/condition_tokens.c \
	slicer/control/condition_tokens.h \
	slicer/control/control_dependence.c \
	slicer/control/control_dependence.h \
	slicer/control/dom.c \
	slicer/control/dom.h \
	slicer/control/endless.c \
	slicer/control/endless.h \
	slicer/control/error_exits.c \
	slicer/control/error_exits.h \
	slicer/control/error_returns.c \
	slicer/control/error_returns.h \
	slicer/control/exit_status.c \
	slicer/control/exit_status.h \
	slicer/control/indirect.c \
	slicer/control/indirect.h \
	slicer/control/mpi_phase.c \
	slicer/control/mpi_phase.h \
	slicer/control/named_values.c \
	slicer/control/named_values.h \
	slicer/control/natural_loop.c \
	slicer/control/natural_loop.h \
	slicer/control/throws.c \
	slicer/control/throws.h \
	slicer/control/way_to.c \
	slicer/control/way_to.h
