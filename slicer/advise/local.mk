# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: what holds a slice up.
slicer_libcsslicer_a_SOURCES += \
	slicer/advise/arrivals.c \
	slicer/advise/arrivals.h \
	slicer/advise/by_arrival.c \
	slicer/advise/by_arrival.h \
	slicer/advise/candidates.c \
	slicer/advise/candidates.h \
	slicer/advise/chains.c \
	slicer/advise/chains.h \
	slicer/advise/choice.c \
	slicer/advise/choice.h \
	slicer/advise/constant_calls.c \
	slicer/advise/constant_calls.h \
	slicer/advise/cut.c \
	slicer/advise/cut.h \
	slicer/advise/dead_code.c \
	slicer/advise/dead_code.h \
	slicer/advise/elements.c \
	slicer/advise/elements.h \
	slicer/advise/exact_needs.c \
	slicer/advise/exact_needs.h \
	slicer/advise/guards.c \
	slicer/advise/guards.h \
	slicer/advise/index_ranges.c \
	slicer/advise/index_ranges.h \
	slicer/advise/need_graph.c \
	slicer/advise/need_graph.h \
	slicer/advise/once.c \
	slicer/advise/once.h \
	slicer/advise/rewritten.c \
	slicer/advise/rewritten.h \
	slicer/advise/settings.c \
	slicer/advise/settings.h \
	slicer/advise/side_by_side.c \
	slicer/advise/side_by_side.h \
	slicer/advise/value_nodes.c \
	slicer/advise/value_nodes.h \
	slicer/advise/way_costs.c \
	slicer/advise/way_edges.c \
	slicer/advise/way_queue.c \
	slicer/advise/way_queue.h \
	slicer/advise/way_results.c \
	slicer/advise/ways.c \
	slicer/advise/ways.h \
	slicer/advise/ways_internal.h
