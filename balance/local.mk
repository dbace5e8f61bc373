# SPDX-License-Identifier: BSD-3-Clause
# libcommslice-balance, which programs are linked with, and libcstechniques, which the command and the tests have, too.
noinst_LIBRARIES += balance/libcstechniques.a
balance_libcstechniques_a_SOURCES =
lib_LIBRARIES = balance/libcommslice-balance.a
balance_libcommslice_balance_a_SOURCES =
balance_libcommslice_balance_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)

# As a shared library, too. Not linked with MPI: that comes with the program.
balanceexecdir = $(libdir)
balanceexec_PROGRAMS = balance/libcommslice-balance.so
balance_libcommslice_balance_so_SOURCES =
balance_libcommslice_balance_so_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
balance_libcommslice_balance_so_LDFLAGS = -shared -Wl,-soname,libcommslice-balance.so.0 \
	-Wl,--version-script=$(top_srcdir)/balance/library/exports.map
EXTRA_balance_libcommslice_balance_so_DEPENDENCIES = balance/library/exports.map
EXTRA_DIST += balance/library/exports.map
balance_libcommslice_balance_so_LDADD = -lm
# By the number of its interface programs find it, by the name without one the linker.
noinst_DATA += balance/libcommslice-balance.so.0
CLEANFILES += balance/libcommslice-balance.so.0
balance/libcommslice-balance.so.0: balance/libcommslice-balance.so
	$(AM_V_GEN)$(LN_S) -f libcommslice-balance.so $@

include %D%/techniques/local.mk
include %D%/simulate/local.mk
include %D%/library/local.mk

dist_man_MANS += docs/man/libcommslice-balance.3
