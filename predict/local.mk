# SPDX-License-Identifier: BSD-3-Clause
# libcspredict: what small runs teach of larger ones.
noinst_LIBRARIES += predict/libcspredict.a
predict_libcspredict_a_SOURCES = \
	predict/methods/analytic_method.c \
	predict/methods/analytic_method.h \
	predict/methods/counters_method.c \
	predict/methods/counters_method.h \
	predict/methods/loop_prices.c \
	predict/methods/loop_prices.h \
	predict/methods/run_choice.c \
	predict/methods/run_choice.h \
	predict/methods/nearby.c \
	predict/methods/nearby.h \
	predict/methods/segment_fitting.h \
	predict/methods/segment_rows.c \
	predict/methods/segment_sums.c \
	predict/methods/segments_method.c \
	predict/methods/segments_method.h \
	predict/methods/whole_run.c \
	predict/methods/working_set.c \
	predict/methods/working_set.h \
	predict/methods/whole_run.h \
	predict/model/model_file.h \
	predict/model/model_read.c \
	predict/model/model_write.c \
	predict/model/observations.c \
	predict/model/observations.h \
	predict/model/pieces.c \
	predict/model/pieces.h \
	predict/model/run_variation.c \
	predict/model/run_variation.h \
	predict/model/variation.c \
	predict/model/variation.h \
	predict/network/network.h \
	predict/network/network_measured.c \
	predict/network/network_measured.h \
	predict/network/network_parse.c \
	predict/network/play.c \
	predict/network/play.h \
	predict/network/play_calls.c \
	predict/network/play_goal.c \
	predict/network/play_match.c \
	predict/network/play_rounds.c \
	predict/regression/lasso.c \
	predict/regression/lasso.h \
	predict/regression/least_squares.c \
	predict/regression/least_squares.h \
	predict/regression/matrix.h \
	predict/regression/nonnegative.c \
	predict/regression/nonnegative.h \
	predict/regression/normal_form.c \
	predict/regression/normal_form.h
