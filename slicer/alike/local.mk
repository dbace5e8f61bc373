# SPDX-License-Identifier: GPL-3.0-or-later
slicer_libcsslicer_a_SOURCES += \
	slicer/alike/alike.c \
	slicer/alike/alike.h \
	slicer/alike/registers.c \
	slicer/alike/registers.h \
	slicer/alike/touched.c \
	slicer/alike/touched.h \
	slicer/alike/turn_memory.c \
	slicer/alike/turn_memory.h
