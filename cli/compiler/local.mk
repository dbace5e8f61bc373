# SPDX-License-Identifier: BSD-3-Clause
# One source, three programs: which compiler to run is decided by the name.
cli_compiler_cppflags = $(AM_CPPFLAGS) \
	-DCS_MPICC='"$(MPICC)"' -DCS_MPICXX='"$(MPICXX)"' -DCS_MPIFORT='"$(MPIFORT)"' \
	-DCS_BINDIR='"$(bindir)"' -DCS_LIBDIR='"$(pluginexecdir)"'
cli_compiler_sources = cli/compiler/plain_objects.c cli/compiler/plain_objects.h \
	cli/compiler/plugin_file.c cli/compiler/plugin_file.h \
	cli/frame/own_files.c cli/frame/own_files.h
bin_PROGRAMS += cli/commslice-mpicc cli/commslice-mpicxx cli/commslice-mpifort
cli_commslice_mpicc_SOURCES = cli/compiler/commslice-mpicc.c $(cli_compiler_sources)
cli_commslice_mpicc_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpicxx_SOURCES = cli/compiler/commslice-mpicc.c $(cli_compiler_sources)
cli_commslice_mpicxx_CPPFLAGS = $(cli_compiler_cppflags)
cli_commslice_mpifort_SOURCES = cli/compiler/commslice-mpicc.c $(cli_compiler_sources)
cli_commslice_mpifort_CPPFLAGS = $(cli_compiler_cppflags)
