# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: state and text of the generator, symbols with their arguments.
skeleton_libcsskeleton_a_SOURCES += \
	skeleton/gen/gen.h \
	skeleton/gen/gen_text.c \
	skeleton/gen/symbol_args.c \
	skeleton/gen/symbol_args.h
