# SPDX-License-Identifier: BSD-3-Clause
# commslice: a file for each verb.
cli_commslice_SOURCES += \
	cli/verbs/advice.c \
	cli/verbs/advice.h \
	cli/verbs/advice_print.c \
	cli/verbs/advice_print.h \
	cli/verbs/advice_told.c \
	cli/verbs/advice_told.h \
	cli/verbs/advise.c \
	cli/verbs/balance_loop.c \
	cli/verbs/calibrate.c \
	cli/verbs/calibrate_program.c \
	cli/verbs/calibrate_program.h \
	cli/verbs/diff.c \
	cli/verbs/export.c \
	cli/verbs/fit.c \
	cli/verbs/info.c \
	cli/verbs/make_skeleton.c \
	cli/verbs/make_skeleton.h \
	cli/verbs/matrix.c \
	cli/verbs/monitor.c \
	cli/verbs/merge.c \
	cli/verbs/merge_shares.c \
	cli/verbs/merge_shares.h \
	cli/verbs/plan.c \
	cli/verbs/predict.c \
	cli/verbs/predict_play.c \
	cli/verbs/predict_play.h \
	cli/verbs/predict_sizes.c \
	cli/verbs/predict_sizes.h \
	cli/verbs/print.c \
	cli/verbs/record.c \
	cli/verbs/recorded_runs.c \
	cli/verbs/recorded_runs.h \
	cli/verbs/replay_rank.c \
	cli/verbs/report.c \
	cli/verbs/run.c \
	cli/verbs/run_slice.c \
	cli/verbs/run_slice.h \
	cli/verbs/scale.c \
	cli/verbs/shares_plan.c \
	cli/verbs/skeleton.c \
	cli/verbs/wait_states.c \
	cli/verbs/why.c
