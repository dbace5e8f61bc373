# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: the body of the program.
skeleton_libcsskeleton_a_SOURCES += \
	skeleton/emit/buffer_room.c \
	skeleton/emit/buffer_room.h \
	skeleton/emit/definitions.c \
	skeleton/emit/definitions.h \
	skeleton/emit/emit_call.c \
	skeleton/emit/emit_call.h \
	skeleton/emit/emit_gaps.c \
	skeleton/emit/emit_gaps.h \
	skeleton/emit/emit_nest.c \
	skeleton/emit/emit_nest.h \
	skeleton/emit/in_place.c \
	skeleton/emit/in_place.h \
	skeleton/emit/type_code.c \
	skeleton/emit/type_code.h \
	skeleton/emit/values.c \
	skeleton/emit/values.h
