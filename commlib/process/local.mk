# SPDX-License-Identifier: BSD-3-Clause
# What a process of ours needs whoever it is: the recorder, engine emulate, the command.
commlib_libcommslice_mpich_so_SOURCES += \
	commlib/process/line_of.c \
	commlib/process/line_of.h \
	commlib/process/rank_memory.c \
	commlib/process/rank_memory.h \
	commlib/process/run_end.h \
	commlib/process/say.c \
	commlib/process/say.h
EXTRA_DIST += commlib/process/rank_memory.ld
