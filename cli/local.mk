# SPDX-License-Identifier: BSD-3-Clause
# The command `commslice` and the drop-in compilers.
bin_PROGRAMS += cli/commslice
cli_commslice_SOURCES = cli/launch/child.c cli/launch/child.h cli/frame/cli.h cli/frame/common.c commlib/process/orphans.c commlib/process/orphans.h cli/verbs/diff.c cli/show/events.c cli/show/events.h \
	cli/verbs/export.c cli/export/export.h cli/export/export_chrome.c cli/export/export_csv.c cli/export/export_otf2.c cli/export/export_ti.c cli/show/gnuplot.c cli/show/gnuplot.h cli/verbs/info.c cli/show/intervals.c cli/show/intervals.h cli/frame/json.c cli/frame/json.h \
	cli/launch/launch.c cli/launch/launch.h cli/main.c cli/verbs/make_skeleton.c cli/verbs/make_skeleton.h cli/verbs/matrix.c cli/verbs/merge.c cli/show/open_requests.c cli/show/open_requests.h cli/export/otf2_defs.c cli/export/otf2_defs.h cli/frame/output.c cli/frame/output.h cli/show/places.c cli/show/places.h cli/verbs/predict.c cli/verbs/print.c cli/show/print_nest.c cli/show/print_nest.h cli/show/readable.c cli/show/readable.h cli/verbs/record.c cli/verbs/report.c cli/report/report.h cli/report/report_csv.c cli/report/report_data.c cli/report/report_html.c cli/report/report_json.c cli/report/report_matrix.c cli/report/report_nest.c cli/report/report_internal.h cli/report/report_phases.c \
	cli/report/report_pictures.c cli/report/report_plot.c cli/report/report_ranks.c cli/report/report_sites.c cli/report/report_sizes.c cli/report/report_summary.c cli/report/report_text.c cli/verbs/run.c cli/verbs/skeleton.c \
	cli/show/slice_info.c cli/show/slice_info.h cli/frame/text.c cli/frame/text.h cli/export/ti.h cli/export/ti_collective.c cli/show/traffic.c cli/show/traffic.h cli/frame/unfinished.c cli/frame/unfinished.h cli/verbs/why.c cli/launch/emulate_options.c cli/launch/emulate_options.h
nodist_cli_commslice_SOURCES = cli/report_style.h
BUILT_SOURCES += cli/report_style.h
CLEANFILES += cli/report_style.h
EXTRA_DIST += cli/report/report.css cli/report/report.js
# Style and script of the report's page, as arrays of lines.
cli/report_style.h: cli/report/report.css cli/report/report.js
	$(AM_V_GEN)$(MKDIR_P) cli && for f in css js; do echo "static const char *const report_$$f[] = {"; \
	  sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n",/' $(srcdir)/cli/report.$$f; echo '};'; done >$@.new && mv $@.new $@
cli_commslice_CPPFLAGS = $(AM_CPPFLAGS) -DCS_LIBDIR='"$(pluginexecdir)"'
cli_commslice_LDADD = skeleton/libcsskeleton.a trace/libcstrace.a api/libcsapi.a $(ZSTD_LIBS) $(ELF_LIBS) $(DW_LIBS) $(OTF2_LIBS) -lm

# One source, three programs: which compiler to run is decided by the name.
cli_compiler_cppflags = $(AM_CPPFLAGS) \
	-DCS_MPICC='"$(MPICC)"' -DCS_MPICXX='"$(MPICXX)"' -DCS_MPIFORT='"$(MPIFORT)"' \
	-DCS_PLUGIN='"$(pluginexecdir)/commslice.so"'
bin_PROGRAMS += cli/commslice-mpicc cli/commslice-mpicxx cli/commslice-mpifort
cli_commslice_mpicc_SOURCES = cli/compiler/commslice-mpicc.c
cli_commslice_mpicc_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpicxx_SOURCES = cli/compiler/commslice-mpicc.c
cli_commslice_mpicxx_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpifort_SOURCES = cli/compiler/commslice-mpicc.c
cli_commslice_mpifort_CPPFLAGS = $(cli_compiler_cppflags)

dist_man_MANS += docs/man/commslice.1 docs/man/commslice-diff.1 docs/man/commslice-expand.1 docs/man/commslice-export.1 docs/man/commslice-fold.1 docs/man/commslice-info.1 docs/man/commslice-matrix.1 docs/man/commslice-merge.1 \
	docs/man/commslice-mpicc.1 docs/man/commslice-mpicxx.1 docs/man/commslice-mpifort.1 \
	docs/man/commslice-predict.1 docs/man/commslice-print.1 docs/man/commslice-record.1 docs/man/commslice-report.1 docs/man/commslice-run.1 docs/man/commslice-skeleton.1 docs/man/commslice-why.1
