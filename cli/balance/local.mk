# SPDX-License-Identifier: BSD-3-Clause
# commslice: what loops take that are handed out to workers.
cli_commslice_SOURCES += \
	cli/balance/host_enough.c \
	cli/balance/host_shares.c \
	cli/balance/host_shares.h \
	cli/balance/loop_spec.c \
	cli/balance/loop_spec.h \
	cli/balance/machine_text.c \
	cli/balance/machine_text.h \
	cli/balance/model_shares.c \
	cli/balance/model_shares.h \
	cli/balance/outcomes.c \
	cli/balance/outcomes.h \
	cli/balance/outcomes_plot.c \
	cli/balance/outcomes_text.c \
	cli/balance/shares_text.c \
	cli/balance/shares_text.h
