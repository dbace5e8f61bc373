# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: counters of loop iterations.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/count/closed_form.cc \
	gcc-plugin/count/closed_form.h \
	gcc-plugin/count/count.cc \
	gcc-plugin/count/count.h
