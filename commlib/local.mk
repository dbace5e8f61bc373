# SPDX-License-Identifier: BSD-3-Clause
# libcommslice-mpich.so, which is preloaded into slices and originals. Its MPI_* wrappers are generated from the MPI
# table; only they are visible, so nothing of ours can meet a name of the user's program.
noinst_PROGRAMS += commlib/gen_wrappers
commlib_gen_wrappers_SOURCES = commlib/calls/gen_wrappers.c
commlib_gen_wrappers_LDADD = api/libcsapi.a

BUILT_SOURCES += commlib/wrappers.c
CLEANFILES += commlib/wrappers.c
commlib/wrappers.c: commlib/gen_wrappers$(EXEEXT)
	$(AM_V_GEN)commlib/gen_wrappers$(EXEEXT) >$@.tmp && mv $@.tmp $@

pluginexec_PROGRAMS += commlib/libcommslice-mpich.so
commlib_libcommslice_mpich_so_SOURCES = \
	commlib/calls/wrap.c commlib/state/call.h commlib/record/recorder.c commlib/record/recorder.h commlib/record/comm_paths.c commlib/record/comm_paths.h \
	commlib/record/type_signatures.c commlib/record/type_signatures.h commlib/record/type_contents.c commlib/record/type_contents.h commlib/record/type_pieces.c commlib/record/op_names.c commlib/transmit/poison_buffers.c commlib/transmit/poison_buffers.h commlib/record/request_table.c commlib/record/request_table.h \
	commlib/record/call_sites.c commlib/record/call_sites.h commlib/state/own_section.c commlib/state/own_section.h commlib/transmit/transmit.h commlib/transmit/transmit.c commlib/transmit/finish_requests.c commlib/transmit/finish_requests.h \
	commlib/check/channel_check.c commlib/check/channel_check.h commlib/check/channel_internal.h commlib/check/channel_places.c commlib/check/channel_shared.c commlib/state/sched_delay.c commlib/state/sched_delay.h commlib/check/hang_detector.c commlib/check/hang_detector.h commlib/check/hang_timer.c commlib/check/hang_timer.h commlib/lifecycle/backend.c commlib/lifecycle/backend.h commlib/state/run_state.c commlib/state/run_state.h \
	base/mix.h commlib/process/say.c commlib/process/say.h commlib/process/line_of.c commlib/process/line_of.h commlib/process/rank_memory.c commlib/process/rank_memory.h
nodist_commlib_libcommslice_mpich_so_SOURCES = commlib/wrappers.c
commlib_libcommslice_mpich_so_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS) -I$(top_srcdir)/commlib -DCS_VERSION='"$(PACKAGE_VERSION)"'
commlib_libcommslice_mpich_so_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ftls-model=initial-exec
# Not linked with MPI: that comes with the program, and the names are bound when they are met.
# What libraries write in a rank is kept together: rank_memory.c.
RANK_MEMORY_WRAP = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
RANK_MEMORY = -Wl,-T,$(top_srcdir)/commlib/process/rank_memory.ld $(RANK_MEMORY_WRAP)
EXTRA_DIST += commlib/process/rank_memory.ld commlib/emulate/README.md
# Few segments: each rank of engine emulate copies the list of mappings when it is forked.
commlib_libcommslice_mpich_so_LDFLAGS = -shared -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-soname,libcommslice-mpich.so -Wl,--exclude-libs,ALL -Wl,-z,lazy $(RANK_MEMORY)
EXTRA_commlib_libcommslice_mpich_so_DEPENDENCIES = commlib/process/rank_memory.ld
commlib_libcommslice_mpich_so_LDADD = trace/libcstrace.a api/libcsapi.a $(ZSTD_ARCHIVE)

# libcommslice-emulate.so, which takes the MPI library's place: hence its soname.
noinst_PROGRAMS += commlib/emulate/gen_stubs
commlib_emulate_gen_stubs_SOURCES = commlib/emulate/gen_stubs.c
commlib_emulate_gen_stubs_LDADD = api/libcsapi.a

BUILT_SOURCES += commlib/emulate/stubs.c commlib/emulate/names.c
CLEANFILES += commlib/emulate/stubs.c commlib/emulate/names.c
commlib/emulate/stubs.c: commlib/emulate/gen_stubs$(EXEEXT)
	$(AM_V_GEN)commlib/emulate/gen_stubs$(EXEEXT) >$@.tmp && mv $@.tmp $@
commlib/emulate/names.c: commlib/emulate/gen_stubs$(EXEEXT)
	$(AM_V_GEN)commlib/emulate/gen_stubs$(EXEEXT) names >$@.tmp && mv $@.tmp $@

pluginexec_PROGRAMS += commlib/libcommslice-emulate.so
# Worlds, messages, collective calls, communicators.
commlib_libcommslice_emulate_so_SOURCES = \
	commlib/process/orphans.c commlib/process/orphans.h commlib/process/rank_memory.c commlib/process/rank_memory.h commlib/emulate/missing.c commlib/emulate/missing.h commlib/emulate/outside.c commlib/emulate/outside.h commlib/emulate/symbols.c commlib/emulate/call.h \
	commlib/emulate/world.c commlib/emulate/world.h commlib/emulate/parent.c commlib/emulate/report.c commlib/emulate/report.h \
	commlib/emulate/shared.c commlib/emulate/shared.h commlib/emulate/wait.c commlib/emulate/wait.h commlib/emulate/env.c \
	commlib/emulate/relay.c commlib/emulate/relay.h commlib/emulate/status_line.c commlib/emulate/status_line.h commlib/emulate/flow.c commlib/emulate/flow.h commlib/emulate/queue.c commlib/emulate/match.c commlib/emulate/match.h commlib/emulate/match_bins.c commlib/emulate/match_bins.h \
	commlib/emulate/message.h commlib/emulate/request.c commlib/emulate/request.h \
	commlib/emulate/p2p.c commlib/emulate/p2p.h commlib/emulate/persistent.c commlib/emulate/probe.c commlib/emulate/complete.c \
	commlib/emulate/grequest.c commlib/emulate/grequest.h commlib/emulate/coll.c commlib/emulate/coll.h \
	commlib/emulate/coll_calls.c commlib/emulate/coll_object.c commlib/emulate/coll_reduce.c commlib/emulate/comm.h \
	commlib/emulate/comms.c commlib/emulate/comms.h commlib/emulate/comm_calls.c commlib/emulate/intercomm.c \
	commlib/emulate/talk.c commlib/emulate/talk.h commlib/emulate/neighbor.c commlib/emulate/neighbor.h \
	commlib/emulate/neighbor_calls.c base/mix.h commlib/process/say.c commlib/process/say.h
# Types, operations, groups, attributes, topologies, infos, errors.
commlib_libcommslice_emulate_so_SOURCES += \
	commlib/emulate/handles.c commlib/emulate/handles.h commlib/emulate/type.h commlib/emulate/op.h commlib/emulate/group.h \
	commlib/emulate/error.h commlib/emulate/attr.h commlib/emulate/topo.h commlib/emulate/info.h \
	commlib/emulate/group.c commlib/emulate/group_calls.c commlib/emulate/errclass.c commlib/emulate/errhandler.c \
	commlib/emulate/info.c commlib/emulate/comm_query.c \
	commlib/emulate/layout.c commlib/emulate/layout.h commlib/emulate/layout_move.c commlib/emulate/types.h commlib/emulate/basic.c \
	commlib/emulate/type_make.c commlib/emulate/type_api.c commlib/emulate/type_calls.c commlib/emulate/type_array.c \
	commlib/emulate/type_query.c commlib/emulate/type_f90.c commlib/emulate/count.c commlib/emulate/pack.c \
	commlib/emulate/attrs.h commlib/emulate/attr.c commlib/emulate/attr_calls.c commlib/emulate/ops.h commlib/emulate/op.c \
	commlib/emulate/op_basic.c \
	commlib/emulate/topos.h commlib/emulate/topo.c commlib/emulate/cart.c commlib/emulate/graph.c commlib/emulate/dist_graph.c \
	commlib/emulate/dims.c commlib/emulate/misc.c commlib/emulate/bsend.c commlib/emulate/check.c commlib/emulate/check.h \
	commlib/emulate/external.c
# The stubs come last at the link: weak names of calls that are written are not theirs.
nodist_commlib_libcommslice_emulate_so_SOURCES = commlib/emulate/stubs.c commlib/emulate/names.c
commlib_libcommslice_emulate_so_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
commlib_libcommslice_emulate_so_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -ftls-model=initial-exec
commlib_libcommslice_emulate_so_LDFLAGS = -shared -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-soname,libmpich.so.12 -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,-z,now $(RANK_MEMORY)
EXTRA_commlib_libcommslice_emulate_so_DEPENDENCIES = commlib/process/rank_memory.ld
commlib_libcommslice_emulate_so_LDADD =

# Small programs under mpiexec, their events against files: commlib/tests/run.sh.
check_PROGRAMS += commlib/tests/dump_events
commlib_tests_dump_events_LDADD = trace/libcstrace.a api/libcsapi.a $(ZSTD_LIBS)
TESTS += commlib/tests/run.sh
EXTRA_DIST += commlib/tests/run.sh commlib/tests/calls.c commlib/tests/calls_f77.f commlib/tests/calls_f90.f90 \
	commlib/tests/calls_f08.f90 commlib/tests/marks.c commlib/tests/ends.c commlib/tests/calls.expected \
	commlib/tests/calls_f77.expected commlib/tests/calls_f90.expected commlib/tests/calls_f08.expected commlib/tests/marks.expected
