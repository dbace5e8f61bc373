# SPDX-License-Identifier: BSD-3-Clause
# commslice: predictions of run times, which verbs print and the report shows.
cli_commslice_SOURCES += \
	cli/predict/graphviz.c \
	cli/predict/graphviz.h \
	cli/predict/machine_caches.c \
	cli/predict/machine_caches.h \
	cli/predict/model_prices.c \
	cli/predict/model_prices.h \
	cli/predict/prediction.c \
	cli/predict/prediction.h \
	cli/predict/prediction_curve.c \
	cli/predict/prediction_curve.h \
	cli/predict/prediction_plot.c \
	cli/predict/prediction_text.c \
	cli/predict/prediction_text.h \
	cli/predict/program_graph.c \
	cli/predict/program_graph.h \
	cli/predict/simgrid_play.c \
	cli/predict/simgrid_play.h
