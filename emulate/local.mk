# SPDX-License-Identifier: BSD-3-Clause
# libcommslice-emulate.so, which takes the MPI library's place: hence its soname. Folders in dependency order.
pluginexec_PROGRAMS += commlib/libcommslice-emulate.so
commlib_libcommslice_emulate_so_SOURCES = \
	base/grid_sides.c \
	base/grid_sides.h \
	commlib/process/orphans.c \
	commlib/process/orphans.h \
	commlib/process/rank_memory.c \
	commlib/process/rank_memory.h \
	commlib/process/run_end.h \
	commlib/process/say.c \
	commlib/process/say.h
nodist_commlib_libcommslice_emulate_so_SOURCES =
commlib_libcommslice_emulate_so_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
commlib_libcommslice_emulate_so_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ftls-model=initial-exec
commlib_libcommslice_emulate_so_LDFLAGS = -shared -Wl,-z,noseparate-code -Wl,-z,norelro \
	-Wl,-soname,libmpich.so.12 -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,now $(RANK_MEMORY)
EXTRA_commlib_libcommslice_emulate_so_DEPENDENCIES = commlib/process/rank_memory.ld
commlib_libcommslice_emulate_so_LDADD =
EXTRA_DIST += emulate/README.md

include %D%/world/local.mk
include %D%/errors/local.mk
include %D%/objects/local.mk
include %D%/types/local.mk
include %D%/messages/local.mk
include %D%/collectives/local.mk
include %D%/topologies/local.mk
include %D%/communicators/local.mk
include %D%/files/local.mk
include %D%/windows/local.mk
include %D%/environment/local.mk
include %D%/parent/local.mk
