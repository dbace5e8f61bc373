# SPDX-License-Identifier: GPL-3.0-or-later
# commslice.so: the decisions put into GIMPLE.
gcc_plugin_commslice_so_SOURCES += \
	gcc-plugin/apply/apply.cc \
	gcc-plugin/apply/apply.h \
	gcc-plugin/apply/apply_equal.cc \
	gcc-plugin/apply/apply_equal.h \
	gcc-plugin/apply/assume_gimple.cc \
	gcc-plugin/apply/assume_gimple.h \
	gcc-plugin/apply/assume_value.cc \
	gcc-plugin/apply/assume_value.h \
	gcc-plugin/apply/compare_turns.cc \
	gcc-plugin/apply/compare_turns.h \
	gcc-plugin/apply/expression_gimple.cc \
	gcc-plugin/apply/expression_gimple.h \
	gcc-plugin/apply/guard.cc \
	gcc-plugin/apply/guard.h \
	gcc-plugin/apply/repeat_turns.cc \
	gcc-plugin/apply/repeat_turns.h \
	gcc-plugin/apply/slice_text.cc \
	gcc-plugin/apply/slice_text.h \
	gcc-plugin/apply/turn_calls.cc \
	gcc-plugin/apply/turn_calls.h
