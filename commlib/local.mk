# SPDX-License-Identifier: BSD-3-Clause
# libcommslice-mpich.so, which is preloaded into slices and originals. Its MPI_* wrappers are generated from the MPI
# table; only they are visible, so nothing of ours can meet a name of the user's program.
pluginexec_PROGRAMS += commlib/libcommslice-mpich.so
commlib_libcommslice_mpich_so_SOURCES =
nodist_commlib_libcommslice_mpich_so_SOURCES =
commlib_libcommslice_mpich_so_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS) -DCS_VERSION='"$(PACKAGE_VERSION)"'
commlib_libcommslice_mpich_so_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ftls-model=initial-exec
# Not linked with MPI: that comes with the program, and the names are bound when they are met.
# What libraries write in a rank is kept together: rank_memory.c.
RANK_MEMORY_WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
RANK_MEMORY = -Wl,-T,$(top_srcdir)/commlib/process/rank_memory.ld $(RANK_MEMORY_WRAP)
# Few segments: each rank of engine emulate copies the list of mappings when it is forked.
commlib_libcommslice_mpich_so_LDFLAGS = -shared -Wl,-z,noseparate-code -Wl,-z,norelro $(PACK_RELOCATIONS) \
	-Wl,-soname,libcommslice-mpich.so -Wl,--exclude-libs,ALL -Wl,-z,lazy $(RANK_MEMORY)
EXTRA_commlib_libcommslice_mpich_so_DEPENDENCIES = commlib/process/rank_memory.ld
commlib_libcommslice_mpich_so_LDADD = trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_ARCHIVE)

include %D%/process/local.mk
include %D%/state/local.mk
include %D%/backend/local.mk
include %D%/files/local.mk
include %D%/record/local.mk
include %D%/live/local.mk
include %D%/check/local.mk
include %D%/turns/local.mk
include %D%/transmit/local.mk
include %D%/lifecycle/local.mk
include %D%/calls/local.mk
