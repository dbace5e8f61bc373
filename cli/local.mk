# SPDX-License-Identifier: BSD-3-Clause
# The command `commslice` and the drop-in compilers.
bin_PROGRAMS += cli/commslice
cli_commslice_SOURCES = \
	cli/main.c \
	commlib/process/orphans.c \
	commlib/process/orphans.h
nodist_cli_commslice_SOURCES =
cli_commslice_CPPFLAGS = $(AM_CPPFLAGS) -DCS_BINDIR='"$(bindir)"' -DCS_LIBDIR='"$(pluginexecdir)"'
cli_commslice_LDADD = live/libcslive.a reading/libcsreading.a skeleton/libcsskeleton.a predict/libcspredict.a balance/libcstechniques.a trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS) $(ELF_LIBS) $(DW_LIBS) $(OTF2_LIBS) $(LAPACKE_LIBS) -lpthread -lm

# One folder for PATH in the build tree; the executables find the plugin and the libraries of their own tree.
in_path = bin/commslice bin/commslice-mpicc bin/commslice-mpicxx bin/commslice-mpifort
noinst_DATA += $(in_path)
CLEANFILES += $(in_path)
bin/%: cli/%
	$(AM_V_GEN)$(MKDIR_P) bin && $(LN_S) -f ../$< $@

include %D%/frame/local.mk
include %D%/show/local.mk
include %D%/launch/local.mk
include %D%/export/local.mk
include %D%/predict/local.mk
include %D%/report/local.mk
include %D%/balance/local.mk
include %D%/monitor/local.mk
include %D%/verbs/local.mk
include %D%/compiler/local.mk

dist_man_MANS += \
	docs/man/commslice-advise.1 \
	docs/man/commslice-balance.1 \
	docs/man/commslice-calibrate.1 \
	docs/man/commslice-diff.1 \
	docs/man/commslice-expand.1 \
	docs/man/commslice-export.1 \
	docs/man/commslice-fit.1 \
	docs/man/commslice-fold.1 \
	docs/man/commslice-info.1 \
	docs/man/commslice-matrix.1 \
	docs/man/commslice-merge.1 \
	docs/man/commslice-monitor.1 \
	docs/man/commslice-mpicc.1 \
	docs/man/commslice-mpicxx.1 \
	docs/man/commslice-mpifort.1 \
	docs/man/commslice-plan.1 \
	docs/man/commslice-predict.1 \
	docs/man/commslice-print.1 \
	docs/man/commslice-record.1 \
	docs/man/commslice-replay.1 \
	docs/man/commslice-report.1 \
	docs/man/commslice-run.1 \
	docs/man/commslice-scale.1 \
	docs/man/commslice-shares.1 \
	docs/man/commslice-skeleton.1 \
	docs/man/commslice-waits.1 \
	docs/man/commslice-why.1 \
	docs/man/commslice.1
