# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: error classes and codes, error handlers.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/errors/errhandler.c \
	emulate/errors/error.h \
	emulate/errors/error_codes.c \
	emulate/errors/error_class_text.c
