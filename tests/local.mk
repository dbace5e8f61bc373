# SPDX-License-Identifier: BSD-3-Clause
# make check: unit tests first, then the programs of tests/programs, original against slice. See docs/test-programs.md.
TEST_EXTENSIONS = .sh

# Unit tests with Check: a program each, made of the rooms' libraries.
unit_tests = tests/unit/trace_test tests/unit/test_effects
check_PROGRAMS += $(unit_tests)
trace_test_libs = trace/libcstrace.a api/libcsapi.a $(ZSTD_LIBS) $(CHECK_LIBS)
slicer_test_libs = slicer/libcsslicer.a api/libcsapi.a $(CHECK_LIBS)

tests_unit_trace_test_SOURCES = tests/unit/trace_test.c tests/unit/trace_sample.c tests/unit/trace_sample.h
tests_unit_trace_test_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_trace_test_LDADD = $(trace_test_libs)
tests_unit_test_effects_SOURCES = tests/unit/test_effects.c
tests_unit_test_effects_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_test_effects_LDADD = $(slicer_test_libs)

# Tests of whole commands.
command_tests = tests/compilers_test.sh
check_PROGRAMS += tests/peak
tests_peak_SOURCES = tests/peak.c

TESTS += $(unit_tests) $(command_tests) tests/run-programs.sh

# Progress of the long tests goes to the terminal by way of descriptor 9.
AM_TESTS_FD_REDIRECT = 9>&2
AM_TESTS_ENVIRONMENT = \
	CS_PROGRESS_FD=9 CS_SRCDIR='$(abs_top_srcdir)' BUILD_DIR='$(abs_builddir)' COMMSLICE='$(abs_builddir)/cli/commslice' \
	MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFORT='$(MPIFORT)' MPIEXEC='$(MPIEXEC)' \
	COMMSLICE_LIBDIR='$(abs_builddir)/commlib' srcdir='$(srcdir)'; \
	export CS_PROGRESS_FD CS_SRCDIR BUILD_DIR COMMSLICE MPICC MPICXX MPIFORT MPIEXEC COMMSLICE_LIBDIR srcdir;

# MPICH busy-waits: the programs run last and alone, also under make -j.
tests/run-programs.log: $(filter-out tests/run-programs.log,$(TEST_LOGS))

# Without the programs: under a minute.
check-unit: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests) $(command_tests)'

# The unit tests once more, in a build of its own with the sanitizers.
check-sanitize:
	$(MKDIR_P) sanitize
	cd sanitize && $(abs_top_srcdir)/configure -q CC='$(CC)' CXX='$(CXX)' \
	  CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'
	cd sanitize && $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests)'
clean-local:
	-rm -rf sanitize tests/programs.out
.PHONY: check-unit check-sanitize

EXTRA_DIST += $(command_tests) tests/run-programs.sh tests/sum-results tests/programs
