# SPDX-License-Identifier: BSD-3-Clause
# The command `commslice` and the drop-in compilers.
bin_PROGRAMS += cli/commslice
cli_commslice_SOURCES = cli/child.c cli/child.h cli/cli.h cli/common.c commlib/process/orphans.c commlib/process/orphans.h cli/diff.c cli/events.c cli/events.h \
	cli/export.c cli/export.h cli/export_chrome.c cli/export_csv.c cli/export_otf2.c cli/export_ti.c cli/gnuplot.c cli/gnuplot.h cli/info.c cli/intervals.c cli/intervals.h cli/json.c cli/json.h \
	cli/launch.c cli/launch.h cli/main.c cli/make_skeleton.c cli/make_skeleton.h cli/matrix.c cli/merge.c cli/open_requests.c cli/open_requests.h cli/otf2_defs.c cli/otf2_defs.h cli/output.c cli/output.h cli/places.c cli/places.h cli/predict.c cli/print.c cli/print_nest.c cli/print_nest.h cli/readable.c cli/readable.h cli/record.c cli/report.c cli/report.h cli/report_csv.c cli/report_data.c cli/report_html.c cli/report_json.c cli/report_matrix.c cli/report_nest.c cli/report_parts.h cli/report_phases.c \
	cli/report_pictures.c cli/report_plot.c cli/report_ranks.c cli/report_sites.c cli/report_sizes.c cli/report_summary.c cli/report_text.c cli/run.c cli/skeleton.c \
	cli/slice_info.c cli/slice_info.h cli/text.c cli/text.h cli/ti.h cli/ti_collective.c cli/traffic.c cli/traffic.h cli/unfinished.c cli/unfinished.h cli/why.c cli/world.c cli/world.h
nodist_cli_commslice_SOURCES = cli/report_style.h
BUILT_SOURCES += cli/report_style.h
CLEANFILES += cli/report_style.h
EXTRA_DIST += cli/report.css cli/report.js
# Style and script of the report's page, as arrays of lines.
cli/report_style.h: cli/report.css cli/report.js
	$(AM_V_GEN)$(MKDIR_P) cli && for f in css js; do echo "static const char *const report_$$f[] = {"; \
	  sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n",/' $(srcdir)/cli/report.$$f; echo '};'; done >$@.new && mv $@.new $@
cli_commslice_CPPFLAGS = $(AM_CPPFLAGS) -DCS_LIBDIR='"$(pluginexecdir)"'
cli_commslice_LDADD = skeleton/libcsskeleton.a trace/libcstrace.a api/libcsapi.a $(ZSTD_LIBS) $(ELF_LIBS) $(DW_LIBS) $(OTF2_LIBS) -lm

# One source, three programs: which compiler to run is decided by the name.
cli_compiler_cppflags = $(AM_CPPFLAGS) \
	-DCS_MPICC='"$(MPICC)"' -DCS_MPICXX='"$(MPICXX)"' -DCS_MPIFORT='"$(MPIFORT)"' \
	-DCS_PLUGIN='"$(pluginexecdir)/commslice.so"'
bin_PROGRAMS += cli/commslice-mpicc cli/commslice-mpicxx cli/commslice-mpifort
cli_commslice_mpicc_SOURCES = cli/commslice-mpicc.c
cli_commslice_mpicc_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpicxx_SOURCES = cli/commslice-mpicc.c
cli_commslice_mpicxx_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpifort_SOURCES = cli/commslice-mpicc.c
cli_commslice_mpifort_CPPFLAGS = $(cli_compiler_cppflags)

dist_man_MANS += docs/man/commslice.1 docs/man/commslice-diff.1 docs/man/commslice-expand.1 docs/man/commslice-export.1 docs/man/commslice-fold.1 docs/man/commslice-info.1 docs/man/commslice-matrix.1 docs/man/commslice-merge.1 \
	docs/man/commslice-mpicc.1 docs/man/commslice-mpicxx.1 docs/man/commslice-mpifort.1 \
	docs/man/commslice-predict.1 docs/man/commslice-print.1 docs/man/commslice-record.1 docs/man/commslice-report.1 docs/man/commslice-run.1 docs/man/commslice-skeleton.1 docs/man/commslice-why.1
