# SPDX-License-Identifier: BSD-3-Clause
# commslice: events, nests and places for people.
cli_commslice_SOURCES += \
	cli/show/loop_counters.c \
	cli/show/loop_counters.h \
	cli/show/events.c \
	cli/show/events.h \
	cli/show/extrap_text.c \
	cli/show/extrap_text.h \
	cli/show/gnuplot.c \
	cli/show/gnuplot.h \
	cli/show/intervals.c \
	cli/show/intervals.h \
	cli/show/open_trace.c \
	cli/show/open_trace.h \
	cli/show/print_nest.c \
	cli/show/print_nest.h \
	cli/show/readable.c \
	cli/show/readable.h \
	cli/show/approximation.c \
	cli/show/approximation.h \
	cli/show/elf_section.c \
	cli/show/elf_section.h \
	cli/show/fortran_statement.c \
	cli/show/fortran_statement.h \
	cli/show/segment_table.c \
	cli/show/segment_table.h \
	cli/show/slice_graph.c \
	cli/show/slice_graph.h \
	cli/show/slice_info.c \
	cli/show/slice_info.h \
	cli/show/whole_text.c \
	cli/show/whole_text.h \
	cli/show/why_chain.c \
	cli/show/why_chain.h \
	cli/show/why_clause.c \
	cli/show/why_clause.h \
	cli/show/why_memory.c \
	cli/show/why_memory.h \
	cli/show/why_names.c \
	cli/show/why_names.h \
	cli/show/why_short.c \
	cli/show/why_short.h
