# SPDX-License-Identifier: BSD-3-Clause
# What the command and the tests have, and programs do not.
balance_libcstechniques_a_SOURCES += \
	%D%/event_heap.c \
	%D%/event_heap.h \
	%D%/item_costs.c \
	%D%/item_costs.h \
	%D%/simulate.c \
	%D%/simulate.h
