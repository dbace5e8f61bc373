# SPDX-License-Identifier: BSD-3-Clause
# make check: unit tests first, then the programs of tests/programs, original against slice. See docs/test-programs.md.
TEST_EXTENSIONS = .sh

# What a test program is linked with, unless it says otherwise. A new test of one source file is one more name below.
LDADD = slicer/libcsslicer.a trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS) $(CHECK_LIBS)

# Tests of the libraries: a program each, which exits with 0 if all is well.
unit_tests = tests/unit/test_mpi_calls \
	tests/unit/test_assume tests/unit/test_base tests/unit/test_cfg tests/unit/test_channels tests/unit/test_effects tests/unit/test_fold tests/unit/test_graph_text \
	tests/unit/test_emulate tests/unit/test_live tests/unit/test_loops tests/unit/test_merge tests/unit/test_pattern tests/unit/test_pointsto tests/unit/test_pointsto_sets tests/unit/test_profile tests/unit/test_rank_memory tests/unit/test_skeleton tests/unit/test_variance \
	tests/unit/trace_test tests/fuzz/trace_fuzz tests/fuzz/merged_fuzz tests/fuzz/lines_fuzz
check_PROGRAMS += $(unit_tests)
slicer_kit = tests/unit/slicer_kit.c tests/unit/slicer_kit.h
tests_unit_test_assume_SOURCES = tests/unit/test_assume.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_pointsto_SOURCES = tests/unit/test_pointsto.c tests/unit/suite.h tests/unit/slicer_random.c tests/unit/slicer_interp.c tests/unit/slicer_interp.h $(slicer_kit)
tests_unit_test_pointsto_sets_SOURCES = tests/unit/test_pointsto_sets.c tests/unit/suite.h
tests_unit_test_base_SOURCES = tests/unit/test_base.c tests/unit/suite.h
tests_unit_test_channels_SOURCES = tests/unit/test_channels.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_variance_SOURCES = tests/unit/test_variance.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_cfg_SOURCES = tests/unit/test_cfg.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_live_SOURCES = tests/unit/test_live.c tests/unit/suite.h $(slicer_kit) \
	tests/unit/slicer_interp.c tests/unit/slicer_interp.h tests/unit/slicer_random.c
tests_unit_test_graph_text_SOURCES = tests/unit/test_graph_text.c tests/unit/suite.h $(slicer_kit)
tests_unit_trace_test_SOURCES = tests/unit/trace_test.c tests/unit/suite.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_unit_test_profile_SOURCES = tests/unit/test_profile.c tests/unit/suite.h
tests_unit_test_skeleton_SOURCES = tests/unit/test_skeleton.c tests/unit/suite.h
tests_unit_test_skeleton_LDADD = skeleton/libcsskeleton.a $(LDADD)
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
command_tests = tests/commands/compilers_test.sh tests/commands/effects_missing_test.sh tests/commands/headers_test.sh tests/commands/moved_test.sh tests/commands/docs_test.sh \
	tests/commands/names_test.sh tests/commands/npb_patches_test.sh tests/commands/prototypes_test.sh tests/commands/report_test.sh tests/commands/skeleton_gaps_test.sh tests/commands/trace_cli_test.sh
check_PROGRAMS += tests/commands/print_prototypes tests/page_check tests/peak tests/unit/trace_make tests/recorder/dump_events
tests_page_check_LDADD =
tests_commands_print_prototypes_LDADD = api/libcsapi.a
tests_recorder_dump_events_LDADD = trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS)
tests_peak_LDADD =

# Tests that run MPI programs. MPICH busy-waits: they run last and one after the other, also under make -j.
mpi_tests = tests/recorder/recorder_test.sh tests/commands/bad_input_test.sh tests/commands/export_test.sh tests/conformance.sh tests/faults_test.sh tests/commands/options_test.sh tests/link/link_test.sh tests/commands/lost_marks_test.sh tests/mutation_test.sh \
	tests/skeletons.sh tests/run-programs.sh

TESTS += $(unit_tests) $(command_tests) $(mpi_tests)
tests/recorder/recorder_test.log: $(filter-out $(mpi_tests:.sh=.log),$(TEST_LOGS))
tests/commands/bad_input_test.log: tests/recorder/recorder_test.log
tests/commands/export_test.log: tests/commands/bad_input_test.log
tests/conformance.log: tests/commands/export_test.log
tests/faults_test.log: tests/conformance.log
tests/commands/options_test.log: tests/faults_test.log
tests/link/link_test.log: tests/commands/options_test.log
tests/commands/lost_marks_test.log: tests/link/link_test.log
tests/mutation_test.log: tests/commands/lost_marks_test.log
tests/skeletons.log: tests/mutation_test.log
tests/run-programs.log: $(filter-out tests/run-programs.log,$(TEST_LOGS))

# Progress of the long tests goes to the terminal by way of descriptor 9.
AM_TESTS_FD_REDIRECT = 9>&2
AM_TESTS_ENVIRONMENT = \
	CS_PROGRESS_FD=9 CS_SRCDIR='$(abs_top_srcdir)' BUILD_DIR='$(abs_builddir)' COMMSLICE='$(abs_builddir)/cli/commslice' \
	CC='$(CC)' MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFORT='$(MPIFORT)' MPIEXEC='$(MPIEXEC)' \
	COMMSLICE_LIBDIR='$(abs_builddir)/commlib' PRINT_PROTOTYPES='$(abs_builddir)/tests/commands/print_prototypes' \
	DUMP_EVENTS='$(abs_builddir)/tests/recorder/dump_events'; \
	export CS_PROGRESS_FD CS_SRCDIR BUILD_DIR COMMSLICE CC MPICC MPICXX MPIFORT MPIEXEC COMMSLICE_LIBDIR PRINT_PROTOTYPES DUMP_EVENTS;

# Without MPI: under a minute.
check-unit: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests) $(command_tests)'

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
.PHONY: check-unit check-sanitize

EXTRA_DIST += $(command_tests) $(mpi_tests) tests/cases.sh tests/effects-missing.sh tests/equivalent-drops tests/install_test.sh tests/mutation.sh tests/program.sh tests/sum-results \
	tests/commands tests/conformance tests/faults tests/graphs tests/link tests/mutation tests/programs tests/recorder
