# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: faults made on purpose, for tests.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/faults/mutants.cc \
	gcc-plugin/faults/mutants.h \
	gcc-plugin/faults/poison_stores.cc \
	gcc-plugin/faults/poison_stores.h
