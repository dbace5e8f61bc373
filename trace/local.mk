# SPDX-License-Identifier: BSD-3-Clause
# libcstrace: writing and reading traces. The linker takes the writer alone into what is preloaded.
noinst_LIBRARIES += trace/libcstrace.a
trace_libcstrace_a_SOURCES = trace/trace.h \
	trace/analyse/args.c trace/analyse/args.h trace/format/bytes.c trace/format/bytes.h trace/format/fields.c trace/format/fields.h trace/format/format.c trace/format/format.h trace/write/writer_group.c trace/write/writer_group.h trace/format/symbols.c trace/format/symbols.h \
	trace/write/crash_buffer.c trace/write/crash_buffer.h trace/format/online_fold.c trace/format/online_fold.h trace/format/peers.c trace/format/peers.h \
	base/ranges.c base/ranges.h trace/write/section_set.c trace/write/section_set.h base/small_hash.h trace/write/write.c trace/write/write_block.c trace/write/write_defs.c trace/write/write_internal.h \
	trace/read/read_defs.c trace/read/trace_diff.c trace/read/trace_diff.h trace/read/iter.c trace/read/pool.c trace/read/pool.h trace/read/read.c trace/read/read_internal.h trace/write/recover.c \
	trace/fold/fold.c trace/fold/fold.h trace/fold/fold_best.c trace/fold/fold_paper.c trace/fold/fold_internal.h trace/fold/fold_search.c trace/fold/fold_search.h \
	trace/merge/interned.c trace/merge/interned.h trace/merge/merge_sequence.c trace/merge/merge_flat.c trace/merge/merge_flat.h trace/merge/merge_defs.c trace/merge/merge_loops.c trace/merge/merge_nests.c trace/merge/merge_order.c trace/merge/merge_internal.h trace/merge/merge_classes.c trace/merge/merge_trace.c trace/merge/merge_unify.c \
	trace/nest/nest.c trace/merge/merged_cycles.c trace/nest/nest.h trace/nest/merged_expand.c trace/merge/merged_fold.c trace/nest/merged_format.h trace/nest/merged_in.h trace/merge/merged_join.c trace/nest/merged_read.c trace/nest/merged_read_defs.c trace/nest/merged_read_records.c trace/merge/merged_records.c trace/nest/merged_times.c trace/nest/merged_walk.c trace/nest/merged_walk.h trace/nest/replay.c trace/nest/replay_internal.h trace/nest/replay_read.c trace/nest/merged_write.c \
	trace/analyse/profile.c trace/analyse/profile.h trace/analyse/profile_inits.c trace/analyse/profile_internal.h trace/analyse/phases.c trace/analyse/phases.h trace/analyse/traffic_pattern.c trace/analyse/traffic_pattern.h trace/analyse/timeline.c trace/analyse/timeline.h \
	trace/read/stream.h trace/merge/merge_guess.c trace/merge/merge_guess.h \
	trace/fold/runs.c trace/fold/runs.h trace/fold/suffix_array.c trace/fold/suffix_array.h
