# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: the one header that includes GCC's, and the options of slices.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/gcc/calm-options.h \
	gcc-plugin/gcc/gcc-common.h
