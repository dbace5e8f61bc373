# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so, the plugin: C++ because GCC's headers are. The analyses are linked in.
pluginexec_PROGRAMS += gcc-plugin/commslice.so
gcc_plugin_commslice_so_SOURCES = gcc-plugin/apply.cc gcc-plugin/apply.h gcc-plugin/apply_equal.cc gcc-plugin/apply_equal.h gcc-plugin/assume.cc gcc-plugin/assume.h \
	gcc-plugin/gcc-common.h gcc-plugin/guard.cc gcc-plugin/guard.h gcc-plugin/info.cc gcc-plugin/info.h \
	gcc-plugin/lower.cc gcc-plugin/lower.h gcc-plugin/lower_alloc.cc gcc-plugin/lower_assign.cc gcc-plugin/lower_call.cc gcc-plugin/lower_decl.cc gcc-plugin/lower_func.cc \
	gcc-plugin/lower_hidden.cc gcc-plugin/lower_operand.cc gcc-plugin/lower_parts.h gcc-plugin/lower_shape.cc gcc-plugin/lower_stmt.cc gcc-plugin/mutants.cc gcc-plugin/mutants.h \
	gcc-plugin/plugin.cc gcc-plugin/poison.cc gcc-plugin/poison.h
gcc_plugin_commslice_so_CPPFLAGS = $(AM_CPPFLAGS) $(GCC_PLUGIN_CPPFLAGS)
gcc_plugin_commslice_so_LDFLAGS = -shared -Wl,--exclude-libs,ALL
gcc_plugin_commslice_so_LDADD = slicer/libcsslicer.a api/libcsapi.a $(ZSTD_LIBS)
