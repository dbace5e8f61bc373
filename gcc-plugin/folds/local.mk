# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: what GCC answers itself, and what it would answer in the original.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/folds/across_sources.cc \
	gcc-plugin/folds/answered.cc \
	gcc-plugin/folds/arithmetic.cc \
	gcc-plugin/folds/as_original.cc \
	gcc-plugin/folds/folds.h \
	gcc-plugin/folds/folds_internal.h \
	gcc-plugin/folds/library_result.cc \
	gcc-plugin/folds/outcomes.cc \
	gcc-plugin/folds/replace.cc \
	gcc-plugin/folds/settle.cc \
	gcc-plugin/folds/variants.cc \
	gcc-plugin/folds/watch.cc
