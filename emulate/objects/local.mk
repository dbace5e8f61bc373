# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: communicators, groups, attributes and infos as objects.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/objects/attr.c \
	emulate/objects/attr.h \
	emulate/objects/comm.c \
	emulate/objects/comm.h \
	emulate/objects/context.c \
	emulate/objects/context.h \
	emulate/objects/group.c \
	emulate/objects/group.h \
	emulate/objects/info_object.c \
	emulate/objects/info_object.h \
	emulate/objects/keyval_calls.c
