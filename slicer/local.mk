# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the analyses on the program graph. It knows no GCC header and is linked into the plugin and into tests.
noinst_LIBRARIES += slicer/libcsslicer.a
slicer_libcsslicer_a_SOURCES = \
	slicer/effects.c slicer/effects.h slicer/graph.c slicer/graph.h slicer/model.h slicer/pattern.c slicer/pattern.h \
	slicer/pointsto.h slicer/util.c slicer/util.h
