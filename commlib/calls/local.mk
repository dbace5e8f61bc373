# SPDX-License-Identifier: BSD-3-Clause
# The recorder: entry points of MPI calls.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/calls/wrap.c \
	commlib/calls/wrap.h

# The wrappers, written by a program that walks the table of MPI calls.
noinst_PROGRAMS += commlib/calls/gen_wrappers
commlib_calls_gen_wrappers_SOURCES = commlib/calls/gen_wrappers.c
commlib_calls_gen_wrappers_LDADD = api/libcsapi.a
BUILT_SOURCES += commlib/calls/wrappers.c commlib/backend/real_calls.c
CLEANFILES += commlib/calls/wrappers.c commlib/backend/real_calls.c
nodist_commlib_libcommslice_mpich_so_SOURCES += commlib/calls/wrappers.c commlib/backend/real_calls.c
commlib/calls/wrappers.c: commlib/calls/gen_wrappers$(EXEEXT)
	$(AM_V_GEN)commlib/calls/gen_wrappers$(EXEEXT) wrappers >$@.tmp && mv $@.tmp $@
commlib/backend/real_calls.c: commlib/calls/gen_wrappers$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) commlib/backend && commlib/calls/gen_wrappers$(EXEEXT) real_calls >$@.tmp && mv $@.tmp $@
