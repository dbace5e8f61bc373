# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: control flow, error exits, assumptions.
slicer_libcsslicer_a_SOURCES += \
	slicer/control/assume.c \
	slicer/control/assume.h \
	slicer/control/cfg.c \
	slicer/control/cfg.h \
	slicer/control/dom.c \
	slicer/control/dom.h \
	slicer/control/phase.c \
	slicer/control/phase.h \
	slicer/control/throws.c \
	slicer/control/throws.h
