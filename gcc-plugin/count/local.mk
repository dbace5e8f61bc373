# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: counters of loop iterations.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/count/changes.cc \
	gcc-plugin/count/changes.h \
	gcc-plugin/count/count.cc \
	gcc-plugin/count/count.h \
	gcc-plugin/count/count_expression.cc \
	gcc-plugin/count/count_expression.h \
	gcc-plugin/count/lift.cc \
	gcc-plugin/count/lift.h \
	gcc-plugin/count/lines.cc \
	gcc-plugin/count/lines.h \
	gcc-plugin/count/run_when.cc \
	gcc-plugin/count/run_when.h \
	gcc-plugin/count/trips.cc \
	gcc-plugin/count/trips.h \
	gcc-plugin/count/value_before.cc \
	gcc-plugin/count/value_before.h
