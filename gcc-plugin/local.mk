# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so, the plugin: C++ because GCC's headers are. The analyses are linked in. GCC loads only a plugin of its own
# version: each version's has a folder.
gccexecdir = $(pluginexecdir)/gcc-$(GCC_MAJOR)
gccexec_PROGRAMS = gcc-plugin/commslice.so
gcc_plugin_commslice_so_SOURCES = \
	gcc-plugin/plugin.cc
gcc_plugin_commslice_so_CPPFLAGS = $(AM_CPPFLAGS) $(GCC_PLUGIN_CPPFLAGS)
gcc_plugin_commslice_so_LDFLAGS = -shared -Wl,--exclude-libs,ALL
gcc_plugin_commslice_so_LDADD = slicer/libcsslicer.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS)

include %D%/gcc/local.mk
include %D%/folds/local.mk
include %D%/lower/local.mk
include %D%/count/local.mk
include %D%/faults/local.mk
include %D%/apply/local.mk
