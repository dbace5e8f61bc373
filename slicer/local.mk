# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the analyses on the program graph. It knows no GCC header and is linked into the plugin and into tests.
# Folders in dependency order.
noinst_LIBRARIES += slicer/libcsslicer.a
slicer_libcsslicer_a_SOURCES = \
	slicer/counter_choice.c \
	slicer/counter_choice.h \
	slicer/decide.c \
	slicer/decide.h \
	slicer/decision.c \
	slicer/decision.h \
	slicer/extents.c \
	slicer/extents.h \
	slicer/folding.c \
	slicer/folding.h \
	slicer/give_back.c \
	slicer/give_back.h \
	slicer/gone_state.c \
	slicer/gone_state.h \
	slicer/handle_values.c \
	slicer/handle_values.h \
	slicer/keep_all.c \
	slicer/keep_all.h \
	slicer/loop_nests.c \
	slicer/loop_nests.h \
	slicer/pointer_order.c \
	slicer/pointer_order.h \
	slicer/rounding.c \
	slicer/rounding.h \
	slicer/reach.c \
	slicer/reach.h \
	slicer/refuse.c \
	slicer/refuse.h \
	slicer/slice.c \
	slicer/slice.h \
	slicer/test_drop.c \
	slicer/test_drop.h \
	slicer/turns.c \
	slicer/turns.h

include %D%/graph/local.mk
include %D%/text/local.mk
include %D%/model/local.mk
include %D%/pointsto/local.mk
include %D%/control/local.mk
include %D%/messages/local.mk
include %D%/live/local.mk
include %D%/alike/local.mk
include %D%/advise/local.mk
