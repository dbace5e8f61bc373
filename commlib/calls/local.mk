# SPDX-License-Identifier: BSD-3-Clause
# The recorder: entry points of MPI calls.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/calls/wrap.c

# The wrappers, written by a program that walks the table of MPI calls.
noinst_PROGRAMS += commlib/calls/gen_wrappers
commlib_calls_gen_wrappers_SOURCES = commlib/calls/gen_wrappers.c
commlib_calls_gen_wrappers_LDADD = api/libcsapi.a
BUILT_SOURCES += commlib/calls/wrappers.c
CLEANFILES += commlib/calls/wrappers.c
nodist_commlib_libcommslice_mpich_so_SOURCES += commlib/calls/wrappers.c
commlib/calls/wrappers.c: commlib/calls/gen_wrappers$(EXEEXT)
	$(AM_V_GEN)commlib/calls/gen_wrappers$(EXEEXT) >$@.tmp && mv $@.tmp $@
