# SPDX-License-Identifier: BSD-3-Clause
# Tests in three tiers; ./run-tests runs the first two and the commands, ./run-tests --long everything.
#   make check            units and graphs: a minute
#   make check-commands   what the commands say and make of bad input, without MPICH
#   make check-programs   every test program, original and slice under engine emulate, in parallel
#   make check-quick      the three above
#   make check-long       the same, and more: originals and slices under MPICH, conformance, faults, mutation, skeletons, longer fuzzing
# A new test program is one more file below tests/programs (docs/test-programs.md). A new test of the libraries, or of the commands, is one
# more name in unit_tests or command_tests.
TEST_EXTENSIONS = .sh

# What a test program is linked with, unless it says otherwise. A new test of one source file is one more name below.
LDADD = slicer/libcsslicer.a trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS) $(CHECK_LIBS)

# Tests of the libraries: a program each, which exits with 0 if all is well.
unit_tests = tests/unit/test_mpi_calls \
	tests/unit/test_advise tests/unit/test_assume tests/unit/test_base tests/unit/test_cfg tests/unit/test_conditions tests/unit/test_channels tests/unit/test_effects tests/unit/test_fold tests/unit/test_graph_text \
	tests/unit/test_emulate tests/unit/test_live tests/unit/test_joined tests/unit/test_loops tests/unit/test_merge tests/unit/test_pattern tests/unit/test_pointsto tests/unit/test_pointsto_sets tests/unit/test_profile tests/unit/test_rank_memory tests/unit/test_analytic_method tests/unit/test_counters_method tests/unit/test_run_choice tests/unit/test_segments_method tests/unit/test_time_variation tests/unit/test_regression tests/unit/test_skeleton tests/unit/test_simulate tests/unit/test_replan tests/unit/test_live_end tests/unit/test_live_waits tests/unit/test_sorted_messages tests/unit/test_techniques tests/unit/test_repeated_channels tests/unit/test_repeated_turns tests/unit/test_variance \
	tests/unit/trace_test tests/fuzz/trace_fuzz tests/fuzz/merged_fuzz tests/fuzz/lines_fuzz
check_PROGRAMS += $(unit_tests)
slicer_kit = tests/unit/slicer_kit.c tests/unit/slicer_kit.h
tests_unit_test_advise_SOURCES = tests/unit/test_advise.c tests/unit/suite.h
tests_unit_test_assume_SOURCES = tests/unit/test_assume.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_pointsto_SOURCES = tests/unit/test_pointsto.c tests/unit/suite.h tests/unit/slicer_random.c tests/unit/slicer_interp.c tests/unit/slicer_interp.h $(slicer_kit)
tests_unit_test_pointsto_sets_SOURCES = tests/unit/test_pointsto_sets.c tests/unit/suite.h
tests_unit_test_base_SOURCES = tests/unit/test_base.c tests/unit/suite.h
tests_unit_test_conditions_SOURCES = tests/unit/test_conditions.c tests/unit/suite.h
tests_unit_test_channels_SOURCES = tests/unit/test_channels.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_variance_SOURCES = tests/unit/test_variance.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_cfg_SOURCES = tests/unit/test_cfg.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_live_SOURCES = tests/unit/test_live.c tests/unit/suite.h $(slicer_kit) \
	tests/unit/slicer_interp.c tests/unit/slicer_interp.h tests/unit/slicer_random.c
tests_unit_test_graph_text_SOURCES = tests/unit/test_graph_text.c tests/unit/suite.h $(slicer_kit)
tests_unit_trace_test_SOURCES = tests/unit/trace_test.c tests/unit/suite.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c tests/unit/suite.h
tests_unit_test_analytic_method_SOURCES = tests/unit/test_analytic_method.c tests/unit/suite.h
tests_unit_test_analytic_method_LDADD = predict/libcspredict.a $(LAPACKE_LIBS) $(CHECK_LIBS) -lm
tests_unit_test_counters_method_SOURCES = tests/unit/test_counters_method.c tests/unit/suite.h
tests_unit_test_run_choice_SOURCES = tests/unit/test_run_choice.c tests/unit/suite.h
tests_unit_test_segments_method_SOURCES = tests/unit/test_segments_method.c tests/unit/suite.h
tests_unit_test_segments_method_LDADD = predict/libcspredict.a $(LAPACKE_LIBS) $(LDADD) -lm
tests_unit_test_time_variation_SOURCES = tests/unit/test_time_variation.c tests/unit/suite.h
tests_unit_test_time_variation_LDADD = predict/libcspredict.a $(LDADD) -lm
tests_unit_test_counters_method_LDADD = predict/libcspredict.a $(LAPACKE_LIBS) $(CHECK_LIBS) -lm
tests_unit_test_run_choice_LDADD = predict/libcspredict.a $(LAPACKE_LIBS) $(LDADD) -lm
tests_unit_test_regression_SOURCES = tests/unit/test_regression.c tests/unit/suite.h
tests_unit_test_regression_LDADD = predict/libcspredict.a $(LAPACKE_LIBS) $(CHECK_LIBS) -lm
tests_unit_test_skeleton_SOURCES = tests/unit/test_skeleton.c tests/unit/suite.h
tests_unit_test_skeleton_LDADD = skeleton/libcsskeleton.a $(LDADD)
tests_unit_test_simulate_SOURCES = tests/unit/test_simulate.c tests/unit/suite.h
tests_unit_test_simulate_LDADD = balance/libcstechniques.a $(CHECK_LIBS) -lm
tests_unit_test_replan_SOURCES = tests/unit/test_replan.c tests/unit/suite.h
tests_unit_test_replan_LDADD = balance/libcstechniques.a $(CHECK_LIBS) -lm
tests_unit_test_live_end_SOURCES = tests/unit/test_live_end.c tests/unit/suite.h \
	cli/monitor/live_end.c cli/monitor/live_view.c cli/monitor/live_view.h cli/monitor/live_waits.c
tests_unit_test_live_end_LDADD = live/libcslive.a balance/libcstechniques.a $(CHECK_LIBS) -lm
tests_unit_test_sorted_messages_SOURCES = tests/unit/test_sorted_messages.c tests/unit/suite.h \
	cli/export/sorted_messages.c cli/export/sorted_messages.h
tests_unit_test_sorted_messages_LDADD = base/libcsbase.a $(CHECK_LIBS)
tests_unit_test_live_waits_SOURCES = tests/unit/test_live_waits.c tests/unit/suite.h cli/monitor/live_waits.c cli/monitor/live_view.h
tests_unit_test_live_waits_LDADD = $(CHECK_LIBS)
tests_unit_test_techniques_SOURCES = tests/unit/test_techniques.c tests/unit/suite.h
tests_unit_test_techniques_LDADD = balance/libcstechniques.a $(CHECK_LIBS) -lm
tests_unit_test_repeated_channels_SOURCES = tests/unit/test_repeated_channels.c tests/unit/suite.h \
	commlib/check/channel_collectives.c commlib/check/channel_internal.h commlib/check/channel_turns.c commlib/check/channel_turns.h
tests_unit_test_repeated_channels_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_test_repeated_turns_SOURCES = tests/unit/test_repeated_turns.c tests/unit/suite.h
tests_unit_test_joined_SOURCES = tests/unit/test_joined.c tests/unit/suite.h
tests_unit_test_loops_SOURCES = tests/unit/test_loops.c tests/unit/suite.h tests/unit/trace_sample.c tests/unit/trace_sample.h
# The emulated library without its world: the stubs come last, as in the library itself.
tests_unit_test_emulate_SOURCES = tests/unit/test_emulate.c tests/unit/suite.h commlib/record/type_contents.c commlib/record/type_contents.h commlib/record/type_pieces.c commlib/record/type_signatures.h $(commlib_libcommslice_emulate_so_SOURCES)
nodist_tests_unit_test_emulate_SOURCES = $(nodist_commlib_libcommslice_emulate_so_SOURCES)
tests_unit_test_emulate_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
tests_unit_test_emulate_LDFLAGS = $(RANK_MEMORY_WRAP)
tests_unit_test_emulate_LDADD = $(CHECK_LIBS)
tests_unit_test_rank_memory_SOURCES = tests/unit/test_rank_memory.c tests/unit/suite.h commlib/process/rank_memory.c commlib/process/rank_memory.h
tests_unit_test_rank_memory_CPPFLAGS = $(AM_CPPFLAGS)
tests_unit_test_rank_memory_LDFLAGS = $(RANK_MEMORY_WRAP)
tests_unit_test_rank_memory_LDADD = $(CHECK_LIBS)
tests_fuzz_merged_fuzz_SOURCES = tests/fuzz/merged_fuzz.c tests/fuzz/fuzz_kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_fuzz_lines_fuzz_SOURCES = tests/fuzz/lines_fuzz.c tests/fuzz/fuzz_kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_fuzz_trace_fuzz_SOURCES = tests/fuzz/trace_fuzz.c tests/fuzz/fuzz_kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h

# Tests of whole commands, and the programs that they need.
command_tests = \
	tests/commands/bad_input_test.sh \
	tests/commands/balance_library_test.sh \
	tests/commands/balance_test.sh \
	tests/commands/budget_test.sh \
	tests/commands/calibrate_test.sh \
	tests/commands/compilers_test.sh \
	tests/commands/counters_test.sh \
	tests/commands/cxx_bindings_test.sh \
	tests/commands/docs_test.sh \
	tests/commands/effects_missing_test.sh \
	tests/commands/effects_siblings_test.sh \
	tests/commands/folds_test.sh \
	tests/commands/export_test.sh \
	tests/commands/headers_test.sh \
	tests/commands/house_test.sh \
	tests/commands/installed_test.sh \
	tests/commands/advise_test.sh \
	tests/commands/model_test.sh \
	tests/commands/curve_test.sh \
	tests/commands/methods_test.sh \
	tests/commands/monitor_test.sh \
	tests/commands/plan_test.sh \
	tests/commands/replay_test.sh \
	tests/commands/moved_test.sh \
	tests/commands/names_test.sh \
	tests/commands/npb_patches_test.sh \
	tests/commands/only_called_test.sh \
	tests/commands/options_test.sh \
	tests/commands/overwrite_test.sh \
	tests/commands/prototypes_test.sh \
	tests/commands/mpi_errors_test.sh \
	tests/commands/read_back_test.sh \
	tests/commands/polled_advice_test.sh \
	tests/commands/recorded_values_test.sh \
	tests/commands/scale_test.sh \
	tests/commands/schedules_test.sh \
	tests/commands/series_test.sh \
	tests/commands/shares_test.sh \
	tests/commands/reading_test.sh \
	tests/commands/overlooked_turns_test.sh \
	tests/commands/repeated_turns_test.sh \
	tests/commands/report_browser_test.sh \
	tests/commands/report_test.sh \
	tests/commands/loop_shares_test.sh \
	tests/commands/skeleton_gaps_test.sh \
	tests/commands/trace_cli_test.sh \
	tests/commands/unassumable_test.sh \
	tests/commands/waits_test.sh \
	tests/commands/why_again_test.sh \
	tests/commands/why_memory_test.sh \
	tests/commands/why_reader_test.sh \
	tests/commands/why_test.sh \
	tests/link/link_test.sh
check_PROGRAMS += tests/commands/print_prototypes tests/page_check tests/peak tests/unit/trace_make tests/recorder/dump_events
tests_page_check_LDADD =
tests_commands_print_prototypes_LDADD = api/libcsapi.a
tests_recorder_dump_events_LDADD = trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS)
tests_peak_LDADD =

program_tests = tests/run-programs.sh

# MPICH busy-waits, and faults are timed: these run one after the other, also under make -j.
long_tests = \
	tests/recorder/recorder_test.sh \
	tests/commands/lost_marks_test.sh \
	tests/conformance.sh \
	tests/faults_test.sh \
	tests/skeletons.sh
tests/commands/lost_marks_test.log: tests/recorder/recorder_test.log
tests/conformance.log: tests/commands/lost_marks_test.log
tests/faults_test.log: tests/conformance.log
tests/skeletons.log: tests/faults_test.log

# Without MPICH: as many at a time as there are processors.
long_parallel_tests = tests/mutation_test.sh tests/random_loops_test.sh tests/fuzz/fuzz_test.sh

# What `make check` runs; the targets below run the others.
TESTS += $(unit_tests)

# Progress of the long tests goes to the terminal by way of descriptor 9.
AM_TESTS_FD_REDIRECT = 9>&2
AM_TESTS_ENVIRONMENT = \
	CK_DEFAULT_TIMEOUT=600 CS_PROGRESS_FD=9 CS_SRCDIR='$(abs_top_srcdir)' BUILD_DIR='$(abs_builddir)' COMMSLICE='$(abs_builddir)/cli/commslice' \
	CC='$(CC)' MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFORT='$(MPIFORT)' MPIEXEC='$(MPIEXEC)' \
	COMMSLICE_LIBDIR='$(abs_builddir)/commlib'; \
	export CK_DEFAULT_TIMEOUT CS_PROGRESS_FD CS_SRCDIR BUILD_DIR COMMSLICE CC MPICC MPICXX MPIFORT MPIEXEC COMMSLICE_LIBDIR;

# All parts of a tier run, whatever becomes of the first ones. The commands are scripts in folders of their own: as many at a time as there are processors.
some_at_a_time = -j "$$(nproc)"
check-commands: all
	$(MAKE) $(AM_MAKEFLAGS) $(some_at_a_time) check TESTS='$(command_tests)'
check-programs: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(program_tests)'
check-quick: all
	status=0; for part in "$(some_at_a_time) check" check-commands check-programs; do $(MAKE) $(AM_MAKEFLAGS) $$part || status=1; done; exit $$status
check-long: all
	CS_LONG=yes; export CS_LONG; \
	status=0; for part in "$(some_at_a_time) check" check-commands check-programs check-mpich check-mutation; do $(MAKE) $(AM_MAKEFLAGS) $$part || status=1; done; exit $$status
# Parts of the long tests.
check-mpich: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(long_tests)'
check-mutation: all
	$(MAKE) $(AM_MAKEFLAGS) $(some_at_a_time) check TESTS='$(long_parallel_tests)'

# The unit tests once more, in a build of its own with the sanitizers.
check-sanitize:
	$(MKDIR_P) sanitize
	cd sanitize && $(abs_top_srcdir)/configure -q CC='$(CC)' CXX='$(CXX)' \
	  CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'
	cd sanitize && $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests)'
# What is installed, on the demo program.
installcheck-local:
	CS_SRCDIR='$(abs_top_srcdir)' BINDIR='$(DESTDIR)$(bindir)' MPICC='$(MPICC)' MPIEXEC='$(MPIEXEC)' \
	  $(SHELL) $(srcdir)/tests/install_test.sh

clean-local:
	-rm -rf sanitize tests/programs.out tests/conformance.out tests/mutation.out
.PHONY: check-commands check-programs check-quick check-long check-mpich check-mutation check-sanitize

EXTRA_DIST += \
	tests/chains.sh tests/effects-missing.sh tests/effects-siblings.sh tests/frame.sh tests/install_test.sh tests/list-programs tests/mutation.sh tests/other-gcc.sh tests/overlooked.sh \
	tests/program.sh tests/random-loops.c tests/same-counters tests/sum-results \
	tests/commands tests/conformance tests/faults tests/graphs tests/link tests/mutation tests/programs tests/recorder \
	$(command_tests) $(program_tests) $(long_tests) $(long_parallel_tests)
