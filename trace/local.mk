# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: writing and reading traces. The linker takes the writer alone into what is preloaded.
noinst_LIBRARIES += trace/libcstrace.a
trace_libcstrace_a_SOURCES = trace/trace.h \
	trace/args.c trace/args.h trace/bytes.c trace/bytes.h trace/fields.c trace/fields.h trace/format.c trace/format.h trace/group.c trace/group.h trace/letters.c trace/letters.h \
	trace/live.c trace/live.h trace/loops.c trace/loops.h trace/peers.c trace/peers.h \
	trace/ranges.c trace/ranges.h trace/shared.c trace/shared.h trace/small_hash.h trace/write.c trace/write_block.c trace/write_defs.c trace/write_parts.h \
	trace/defs.c trace/diff.c trace/diff.h trace/iter.c trace/pool.c trace/pool.h trace/read.c trace/read.h trace/recover.c \
	trace/fold.c trace/fold.h trace/fold_best.c trace/fold_paper.c trace/fold_parts.h trace/fold_search.c trace/fold_search.h \
	trace/interned.c trace/interned.h trace/merge.c trace/merge_flat.c trace/merge_flat.h trace/merge_defs.c trace/merge_loops.c trace/merge_nests.c trace/merge_order.c trace/merge_parts.h trace/merge_read.c trace/merge_trace.c trace/merge_unify.c \
	trace/merged.c trace/merged_cycles.c trace/merged.h trace/merged_expand.c trace/merged_fold.c trace/merged_format.h trace/merged_in.h trace/merged_join.c trace/merged_read.c trace/merged_read_defs.c trace/merged_read_records.c trace/merged_records.c trace/merged_times.c trace/merged_walk.c trace/merged_walk.h trace/replay.c trace/replay_parts.h trace/replay_read.c trace/merged_write.c \
	trace/profile.c trace/profile.h trace/profile_inits.c trace/profile_parts.h trace/phases.c trace/phases.h trace/pattern.c trace/pattern.h trace/timeline.c trace/timeline.h \
	trace/stream.h trace/value.c trace/value.h \
	trace/runs.c trace/runs.h trace/suffix_array.c trace/suffix_array.h
