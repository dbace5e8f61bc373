# SPDX-License-Identifier: BSD-3-Clause
# Engine emulate: beginning and end, the machine, calls that nobody has written.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/environment/fortran_names.c \
	emulate/environment/init_finalize.c \
	emulate/environment/machine.c \
	emulate/environment/missing.c \
	emulate/environment/missing.h

# Entry points of calls that nobody has written, from the table of MPI calls: weak names, so that those that are written win.
noinst_PROGRAMS += emulate/environment/gen_stubs
emulate_environment_gen_stubs_SOURCES = emulate/environment/gen_stubs.c
emulate_environment_gen_stubs_LDADD = api/libcsapi.a
BUILT_SOURCES += emulate/environment/stubs.c emulate/environment/names.c
CLEANFILES += emulate/environment/stubs.c emulate/environment/names.c
nodist_commlib_libcommslice_emulate_so_SOURCES += emulate/environment/stubs.c emulate/environment/names.c
emulate/environment/stubs.c: emulate/environment/gen_stubs$(EXEEXT)
	$(AM_V_GEN)emulate/environment/gen_stubs$(EXEEXT) >$@.tmp && mv $@.tmp $@
emulate/environment/names.c: emulate/environment/gen_stubs$(EXEEXT)
	$(AM_V_GEN)emulate/environment/gen_stubs$(EXEEXT) names >$@.tmp && mv $@.tmp $@
