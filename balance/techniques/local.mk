# SPDX-License-Identifier: BSD-3-Clause
technique_sources = \
	%D%/handout.c \
	%D%/handout.h \
	%D%/replan.c \
	%D%/replan.h \
	%D%/shares.c \
	%D%/shares.h \
	%D%/technique.c \
	%D%/technique.h \
	%D%/worker_pace.c
balance_libcstechniques_a_SOURCES += $(technique_sources)
balance_libcommslice_balance_a_SOURCES += $(technique_sources)
balance_libcommslice_balance_so_SOURCES += $(technique_sources)
