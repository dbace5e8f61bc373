# SPDX-License-Identifier: BSD-3-Clause
balance_sources = \
	%D%/balance_for.c \
	%D%/balance_settings.c \
	%D%/balancer.c \
	%D%/block_parts.c \
	%D%/block_parts.h \
	%D%/balancer_internal.h \
	%D%/fortran_calls.c \
	%D%/master_worker.c \
	%D%/window_counters.c \
	%D%/own_chunks.c \
	%D%/own_chunks.h \
	%D%/rank_curves.c \
	%D%/memory_counters.c \
	%D%/watched_loop.c \
	%D%/watched_loop.h
balance_libcommslice_balance_a_SOURCES += $(balance_sources) $(live_sources)
balance_libcommslice_balance_so_SOURCES += $(balance_sources) $(live_sources)

include_HEADERS = %D%/commslice-balance.h
# Interfaces only: the source goes with the module, for other compilers and versions than the one that made it.
balanceincludedir = $(includedir)
dist_balanceinclude_DATA = %D%/commslice_balance.f90
nodist_balanceinclude_DATA = %D%/commslice_balance.mod
%D%/commslice_balance.mod: %D%/commslice_balance.f90
	$(AM_V_GEN)$(MKDIR_P) %D% && $(MPIFORT) -fsyntax-only -J%D% $<
CLEANFILES += %D%/commslice_balance.mod
