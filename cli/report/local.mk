# SPDX-License-Identifier: BSD-3-Clause
# commslice: the report.
cli_commslice_SOURCES += \
	cli/report/report.h \
	cli/report/report_bars.c \
	cli/report/report_bars.h \
	cli/report/report_csv.c \
	cli/report/report_data.c \
	cli/report/report_data.h \
	cli/report/report_files.c \
	cli/report/report_files.h \
	cli/report/report_html.c \
	cli/report/report_json.c \
	cli/report/report_matrix.c \
	cli/report/report_nest.c \
	cli/report/report_phases.c \
	cli/report/report_pictures.c \
	cli/report/report_plot.c \
	cli/report/report_predict.c \
	cli/report/report_ranks.c \
	cli/report/report_read.c \
	cli/report/report_sections.h \
	cli/report/report_sites.c \
	cli/report/report_sizes.c \
	cli/report/report_summary.c \
	cli/report/report_text.c \
	cli/report/report_text.h \
	cli/report/report_waits.c

# Style and script of the report's page, as arrays of lines.
nodist_cli_commslice_SOURCES += cli/report/report_style.h
BUILT_SOURCES += cli/report/report_style.h
CLEANFILES += cli/report/report_style.h
EXTRA_DIST += cli/report/report.css cli/report/report.js
cli/report/report_style.h: cli/report/report.css cli/report/report.js
	$(AM_V_GEN)$(MKDIR_P) cli/report && for f in css js; do echo "static const char *const report_$$f[] = {"; \
	  sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n",/' $(srcdir)/cli/report/report.$$f; echo '};'; done >$@.new && mv $@.new $@
# What `make cli/commslice` alone needs: BUILT_SOURCES are made for `all` only.
cli/report/commslice-report_html.$(OBJEXT): cli/report/report_style.h
