# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: errors and their handlers.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/errors/errclass.c \
	emulate/errors/errhandler.c \
	emulate/errors/error.h
