# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: counters of loop iterations.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/count/changes.cc \
	gcc-plugin/count/changes.h \
	gcc-plugin/count/closed_form.cc \
	gcc-plugin/count/closed_form.h \
	gcc-plugin/count/count.cc \
	gcc-plugin/count/count.h \
	gcc-plugin/count/lift.cc \
	gcc-plugin/count/lift.h
