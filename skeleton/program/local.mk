# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: the steps in order, and the program around its body.
skeleton_libcsskeleton_a_SOURCES += \
	skeleton/program/generate.c \
	skeleton/program/write_program.c \
	skeleton/program/write_program.h
