# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: writing, reading, merging and folding traces. The linker takes the writer alone into what is preloaded.
# Folders in dependency order.
noinst_LIBRARIES += trace/libcstrace.a
trace_libcstrace_a_SOURCES = trace/counters.h trace/trace.h

include %D%/format/local.mk
include %D%/fold/local.mk
include %D%/read/local.mk
include %D%/write/local.mk
include %D%/nest/local.mk
include %D%/merge/local.mk
include %D%/analyse/local.mk
include %D%/waits/local.mk
