# SPDX-License-Identifier: BSD-3-Clause
# make check: unit tests first, then the programs of tests/programs, original against slice. See docs/test-programs.md.
TEST_EXTENSIONS = .sh
TESTS += tests/run-programs.sh
check_PROGRAMS += tests/peak
tests_peak_SOURCES = tests/peak.c

# Progress of the long tests goes to the terminal by way of descriptor 9.
AM_TESTS_FD_REDIRECT = 9>&2
AM_TESTS_ENVIRONMENT = \
	CS_PROGRESS_FD=9 CS_SRCDIR='$(abs_top_srcdir)' BUILD_DIR='$(abs_builddir)' COMMSLICE='$(abs_builddir)/cli/commslice' \
	MPICC='$(MPICC)' MPICXX='$(MPICXX)' MPIFORT='$(MPIFORT)' MPIEXEC='$(MPIEXEC)' \
	COMMSLICE_LIBDIR='$(abs_builddir)/commlib'; \
	export CS_PROGRESS_FD CS_SRCDIR BUILD_DIR COMMSLICE MPICC MPICXX MPIFORT MPIEXEC COMMSLICE_LIBDIR;

# MPICH busy-waits: the programs run last and alone, also under make -j.
tests/run-programs.log: $(filter-out tests/run-programs.log,$(TEST_LOGS))

# Unit tests only.
check-unit: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out tests/run-programs.sh,$(TESTS))'

# The unit tests of api/, trace/ and slicer/ once more, in a build of its own with the sanitizers.
check-sanitize:
	$(MKDIR_P) sanitize
	cd sanitize && $(abs_top_srcdir)/configure -q CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined'
	cd sanitize && $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(unit_tests)'
.PHONY: check-unit check-sanitize

EXTRA_DIST += tests/run-programs.sh tests/sum-results tests/programs
