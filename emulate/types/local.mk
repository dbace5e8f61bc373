# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: datatypes and packing.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/types/basic_types.c \
	emulate/types/buffer_check.c \
	emulate/types/buffer_check.h \
	emulate/types/layout.c \
	emulate/types/layout.h \
	emulate/types/layout_move.c \
	emulate/types/numbers.h \
	emulate/types/pack.c \
	emulate/types/pack_external.c \
	emulate/types/type.h \
	emulate/types/type_api.c \
	emulate/types/type_array.c \
	emulate/types/type_attributes.c \
	emulate/types/type_calls.c \
	emulate/types/type_elements.c \
	emulate/types/type_f90.c \
	emulate/types/type_indexed_large.c \
	emulate/types/type_internal.h \
	emulate/types/type_make.c \
	emulate/types/type_large.c \
	emulate/types/type_query.c \
	emulate/types/type_runs.c
