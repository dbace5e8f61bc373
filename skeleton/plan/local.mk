# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: what is left out, where barriers may be, which gaps are listed.
skeleton_libcsskeleton_a_SOURCES += \
	skeleton/plan/balance.c \
	skeleton/plan/balance.h \
	skeleton/plan/divide.c \
	skeleton/plan/divide.h \
	skeleton/plan/follow_requests.c \
	skeleton/plan/follow_requests.h \
	skeleton/plan/gap_lists.c \
	skeleton/plan/gap_lists.h \
	skeleton/plan/gap_split.c \
	skeleton/plan/gap_split.h \
	skeleton/plan/self_completing.c \
	skeleton/plan/self_completing.h \
	skeleton/plan/together.c \
	skeleton/plan/together.h
