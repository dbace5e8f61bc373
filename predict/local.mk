# SPDX-License-Identifier: BSD-3-Clause
# libcspredict: what small runs teach of larger ones.
noinst_LIBRARIES += predict/libcspredict.a
predict_libcspredict_a_SOURCES = \
	predict/methods/counters_method.c \
	predict/methods/counters_method.h \
	predict/regression/lasso.c \
	predict/regression/lasso.h \
	predict/regression/least_squares.c \
	predict/regression/least_squares.h \
	predict/regression/matrix.h \
	predict/regression/nonnegative.c \
	predict/regression/nonnegative.h
