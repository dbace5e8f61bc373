# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so, the plugin: C++ because GCC's headers are. The analyses are linked in.
pluginexec_PROGRAMS += gcc-plugin/commslice.so
gcc_plugin_commslice_so_SOURCES = gcc-plugin/apply/apply.cc gcc-plugin/apply/apply.h gcc-plugin/apply/apply_equal.cc gcc-plugin/apply/apply_equal.h gcc-plugin/apply/assume_gimple.cc gcc-plugin/apply/assume_gimple.h \
	gcc-plugin/gcc-common.h gcc-plugin/apply/guard.cc gcc-plugin/apply/guard.h gcc-plugin/apply/slice_text.cc gcc-plugin/apply/slice_text.h \
	gcc-plugin/lower/lower.cc gcc-plugin/lower/lower.h gcc-plugin/lower/lower_alloc.cc gcc-plugin/lower/lower_assign.cc gcc-plugin/lower/lower_call.cc gcc-plugin/lower/lower_decl.cc gcc-plugin/lower/lower_func.cc \
	gcc-plugin/lower/lower_hidden.cc gcc-plugin/lower/lower_operand.cc gcc-plugin/lower/lower_internal.h gcc-plugin/lower/lower_shape.cc gcc-plugin/lower/lower_stmt.cc gcc-plugin/faults/mutants.cc gcc-plugin/faults/mutants.h \
	gcc-plugin/plugin.cc gcc-plugin/faults/poison_stores.cc gcc-plugin/faults/poison_stores.h
gcc_plugin_commslice_so_CPPFLAGS = $(AM_CPPFLAGS) $(GCC_PLUGIN_CPPFLAGS)
gcc_plugin_commslice_so_LDFLAGS = -shared -Wl,--exclude-libs,ALL
gcc_plugin_commslice_so_LDADD = slicer/libcsslicer.a api/libcsapi.a $(ZSTD_LIBS)
