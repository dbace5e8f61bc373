# SPDX-License-Identifier: BSD-3-Clause
# libcsbase: the ground that every other folder stands on.
noinst_LIBRARIES += base/libcsbase.a
base_libcsbase_a_SOURCES = \
	base/cold.h \
	base/environment.h \
	base/error_text.c \
	base/error_text.h \
	base/expression.c \
	base/expression.h \
	base/file_kind.c \
	base/file_kind.h \
	base/grid_places.c \
	base/grid_places.h \
	base/grid_sides.c \
	base/grid_sides.h \
	base/grow.h \
	base/mix.h \
	base/modular.h \
	base/ranges.c \
	base/ranges.h \
	base/recorded_around.c \
	base/recorded_around.h \
	base/recorded_grid.c \
	base/recorded_grid.h \
	base/recorded_near.c \
	base/recorded_near.h \
	base/recorded_off.c \
	base/recorded_off.h \
	base/recorded_rule.c \
	base/recorded_rule.h \
	base/recorded_value.c \
	base/recorded_value.h \
	base/recorded_walk.h \
	base/series_text.c \
	base/shown.c \
	base/share.h \
	base/shown.h \
	base/small_hash.h \
	base/table.h \
	base/tape_file.h \
	base/value_series.c \
	base/value_series.h
