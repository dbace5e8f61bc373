# SPDX-License-Identifier: BSD-3-Clause
# make check: unit tests first, then the programs of tests/programs, original against slice. See docs/test-programs.md.
TEST_EXTENSIONS = .sh

# What a test program is linked with, unless it says otherwise. A new test of one source file is one more name below.
LDADD = slicer/libcsslicer.a trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS) $(CHECK_LIBS)

# Tests of the libraries: a program each, which exits with 0 if all is well.
unit_tests = api/test_mpi_calls \
	tests/unit/test_assume tests/unit/test_cfg tests/unit/test_channels tests/unit/test_effects tests/unit/test_fold tests/unit/test_graph_text \
	tests/unit/test_emulate tests/unit/test_live tests/unit/test_loops tests/unit/test_merge tests/unit/test_pattern tests/unit/test_pointsto tests/unit/test_pointsto_sets tests/unit/test_profile tests/unit/test_rank_memory tests/unit/test_skeleton tests/unit/test_variance \
	tests/unit/trace_test tests/fuzz/trace_fuzz tests/fuzz/merged_fuzz tests/fuzz/lines_fuzz
check_PROGRAMS += $(unit_tests)
slicer_kit = tests/unit/slicer_kit.c tests/unit/slicer_kit.h
tests_unit_test_assume_SOURCES = tests/unit/test_assume.c tests/unit/suite.h $(slicer_kit)
tests_unit_test_pointsto_SOURCES = tests/unit/test_pointsto.c tests/unit/suite.h tests/unit/slicer_random.c tests/unit/slicer_interp.c tests/unit/slicer_interp.h $(slicer_kit)
tests_unit_test_pointsto_sets_SOURCES = tests/unit/test_pointsto_sets.c tests/unit/suite.h
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
tests_fuzz_merged_fuzz_SOURCES = tests/fuzz/merged_fuzz.c tests/fuzz/kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_fuzz_lines_fuzz_SOURCES = tests/fuzz/lines_fuzz.c tests/fuzz/kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_fuzz_trace_fuzz_SOURCES = tests/fuzz/trace_fuzz.c tests/fuzz/kit.h tests/unit/trace_sample.c tests/unit/trace_sample.h

# Tests of whole commands, and the programs that they need.
command_tests = api/test_prototypes.sh tests/compilers_test.sh tests/effects_missing_test.sh tests/headers_test.sh tests/names_test.sh tests/report_test.sh tests/skeleton_gaps_test.sh tests/unit/trace_cli_test.sh
check_PROGRAMS += api/print_prototypes tests/page_check tests/peak tests/unit/trace_make commlib/tests/dump_events
tests_page_check_LDADD =
tests_peak_LDADD =

# Tests that run MPI programs. MPICH busy-waits: they run last and one after the other, also under make -j.
mpi_tests = commlib/tests/run.sh tests/bad_input_test.sh tests/export_test.sh tests/conformance.sh tests/faults_test.sh tests/options_test.sh tests/link/mixed_test.sh tests/lost_marks_test.sh tests/mutation_test.sh \
	tests/skeletons.sh tests/run-programs.sh

TESTS += $(unit_tests) $(command_tests) $(mpi_tests)
commlib/tests/run.log: $(filter-out $(mpi_tests:.sh=.log),$(TEST_LOGS))
tests/bad_input_test.log: commlib/tests/run.log
tests/export_test.log: tests/bad_input_test.log
tests/conformance.log: tests/export_test.log
tests/faults_test.log: tests/conformance.log
tests/options_test.log: tests/faults_test.log
tests/link/mixed_test.log: tests/options_test.log
tests/lost_marks_test.log: tests/link/mixed_test.log
tests/mutation_test.log: tests/lost_marks_test.log
tests/skeletons.log: tests/mutation_test.log
tests/run-programs.log: $(filter-out tests/run-programs.log,$(TEST_LOGS))

# Progress of the long tests goes to the terminal by way of descriptor 9.
AM_TESTS_FD_REDIRECT = 9>&2
AM_TESTS_ENVIRONMENT = \
	CS_PROGRESS_FD=9 CS_SRCDIR='$(abs_top_srcdir)' BUILD_DIR='$(abs_builddir)' COMMSLICE='$(abs_builddir)/cli/commslice' \
	CC='$(CC)' MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFORT='$(MPIFORT)' MPIEXEC='$(MPIEXEC)' \
	COMMSLICE_LIBDIR='$(abs_builddir)/commlib' PRINT_PROTOTYPES='$(abs_builddir)/api/print_prototypes' \
	DUMP_EVENTS='$(abs_builddir)/commlib/tests/dump_events'; \
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

EXTRA_DIST += $(command_tests) $(mpi_tests) tests/report_check.sh tests/sum-results tests/effects-missing.sh tests/install_test.sh tests/mutation.sh tests/strict_run.c tests/until_asleep.c tests/cases.sh tests/program.sh \
	tests/conformance tests/faults tests/options tests/equivalent-drops tests/export tests/graphs tests/link/main.c tests/link/more.c tests/link/part.f90 tests/link/table.cpp tests/link/leaf.cpp tests/programs \
	$(addprefix commlib/tests/,calls.c calls.expected calls_f08.expected calls_f08.f90 calls_f77.expected calls_f77.f \
	calls_f90.expected calls_f90.f90 ends.c marks.c marks.expected)
