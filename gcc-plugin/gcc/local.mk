# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: the one header that includes GCC's.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/gcc/gcc-common.h
