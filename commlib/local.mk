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
EXTRA_DIST += commlib/process/rank_memory.ld emulate/README.md
# Few segments: each rank of engine emulate copies the list of mappings when it is forked.
commlib_libcommslice_mpich_so_LDFLAGS = -shared -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-soname,libcommslice-mpich.so -Wl,--exclude-libs,ALL -Wl,-z,lazy $(RANK_MEMORY)
EXTRA_commlib_libcommslice_mpich_so_DEPENDENCIES = commlib/process/rank_memory.ld
commlib_libcommslice_mpich_so_LDADD = trace/libcstrace.a api/libcsapi.a $(ZSTD_ARCHIVE)

# libcommslice-emulate.so, which takes the MPI library's place: hence its soname.
noinst_PROGRAMS += commlib/emulate/gen_stubs
commlib_emulate_gen_stubs_SOURCES = emulate/world/gen_stubs.c
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
	commlib/process/orphans.c commlib/process/orphans.h commlib/process/rank_memory.c commlib/process/rank_memory.h emulate/world/missing.c emulate/world/missing.h emulate/world/caller_lookup.c emulate/world/caller_lookup.h emulate/world/fortran_symbols.c emulate/world/entry.h \
	emulate/world/world.c emulate/world/world.h emulate/parent/parent.c emulate/parent/stuck_report.c emulate/parent/stuck_report.h \
	emulate/world/shared_memory.c emulate/world/shared_memory.h emulate/world/wait.c emulate/world/wait.h emulate/calls/init_finalize.c \
	emulate/parent/relay.c emulate/parent/relay.h emulate/parent/status_line.c emulate/parent/status_line.h emulate/messages/flow.c emulate/messages/flow.h emulate/messages/queue.c emulate/messages/match.c emulate/messages/match.h emulate/messages/match_bins.c emulate/messages/match_bins.h \
	emulate/messages/message.h emulate/messages/request.c emulate/messages/request.h \
	emulate/messages/p2p.c emulate/messages/p2p.h emulate/messages/persistent_requests.c emulate/messages/probe.c emulate/messages/complete.c \
	emulate/messages/grequest.c emulate/messages/grequest.h emulate/collectives/coll.c emulate/collectives/coll.h \
	emulate/calls/coll_calls.c emulate/collectives/coll_object.c emulate/collectives/coll_reduce.c emulate/objects/comm.h \
	emulate/objects/comm_table.c emulate/objects/comm_table.h emulate/calls/comm_calls.c emulate/calls/intercomm.c \
	emulate/messages/internal_messages.c emulate/messages/internal_messages.h emulate/collectives/neighbor.c emulate/collectives/neighbor.h \
	emulate/calls/neighbor_calls.c base/mix.h commlib/process/say.c commlib/process/say.h
# Types, operations, groups, attributes, topologies, infos, errors.
commlib_libcommslice_emulate_so_SOURCES += \
	emulate/world/handles.c emulate/world/handles.h emulate/types/type.h emulate/objects/op.h emulate/objects/group.h \
	emulate/errors/error.h emulate/objects/attr.h emulate/objects/topo.h emulate/objects/info_object.h \
	emulate/objects/group.c emulate/calls/group_calls.c emulate/errors/errclass.c emulate/errors/errhandler.c \
	emulate/objects/info_object.c emulate/calls/comm_query.c \
	emulate/types/layout.c emulate/types/layout.h emulate/types/layout_move.c emulate/types/type_internal.h emulate/types/basic_types.c \
	emulate/types/type_make.c emulate/types/type_api.c emulate/types/type_calls.c emulate/types/type_array.c \
	emulate/types/type_query.c emulate/types/type_f90.c emulate/types/status_count.c emulate/types/pack.c \
	emulate/objects/attr_internal.h emulate/objects/attr.c emulate/calls/attr_calls.c emulate/objects/op_internal.h emulate/objects/op.c \
	emulate/objects/op_basic.c \
	emulate/objects/topo_internal.h emulate/objects/topo.c emulate/objects/cart.c emulate/objects/graph_topology.c emulate/calls/dist_graph.c \
	emulate/objects/dims.c emulate/calls/misc.c emulate/messages/bsend.c emulate/types/check.c emulate/types/check.h \
	emulate/types/pack_external.c
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
