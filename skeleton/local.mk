# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: from a merged run to a program.
# Folders in dependency order, lowest first.
noinst_LIBRARIES += skeleton/libcsskeleton.a
skeleton_libcsskeleton_a_SOURCES = \
	skeleton/skeleton.h
include %D%/prelude/local.mk
include %D%/gen/local.mk
include %D%/plan/local.mk
include %D%/emit/local.mk
include %D%/program/local.mk
