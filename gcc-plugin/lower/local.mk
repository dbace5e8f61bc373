# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: GIMPLE to program graph.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/lower/comparisons.cc \
	gcc-plugin/lower/comparisons.h \
	gcc-plugin/lower/inline_small.cc \
	gcc-plugin/lower/keep_sections.cc \
	gcc-plugin/lower/known_values.cc \
	gcc-plugin/lower/lower.cc \
	gcc-plugin/lower/lower.h \
	gcc-plugin/lower/lower_alloc.cc \
	gcc-plugin/lower/lower_assign.cc \
	gcc-plugin/lower/lower_by_name.cc \
	gcc-plugin/lower/lower_call.cc \
	gcc-plugin/lower/lower_casts.cc \
	gcc-plugin/lower/lower_decl.cc \
	gcc-plugin/lower/lower_family.cc \
	gcc-plugin/lower/lower_folds.cc \
	gcc-plugin/lower/lower_func.cc \
	gcc-plugin/lower/lower_hidden.cc \
	gcc-plugin/lower/lower_internal.h \
	gcc-plugin/lower/lower_names.cc \
	gcc-plugin/lower/lower_operand.cc \
	gcc-plugin/lower/lower_shape.cc \
	gcc-plugin/lower/lower_stmt.cc \
	gcc-plugin/lower/turns.cc \
	gcc-plugin/lower/wrappers.cc \
	gcc-plugin/lower/wrappers.h
