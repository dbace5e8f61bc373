# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: models of MPI calls and of library functions.
slicer_libcsslicer_a_SOURCES += \
	slicer/model/effects.c \
	slicer/model/effects.h \
	slicer/model/effects_internal.h \
	slicer/model/effects_model.c \
	slicer/model/effects_token.c \
	slicer/model/model.c \
	slicer/model/model.h \
	slicer/model/model_build.c \
	slicer/model/model_build.h \
	slicer/model/mpi_buffer.c \
	slicer/model/mpi_window.c \
	slicer/model/mpi_file.c \
	slicer/model/mpi_internal.h \
	slicer/model/mpi_model.c \
	slicer/model/mpich_abi.h

# The effects table travels in the library as one string, so that the plugin needs no file beside it.
# Declare it where it is used: extern const char cs_effects_tab[];
nodist_slicer_libcsslicer_a_SOURCES = slicer/model/effects_tab.c
slicer/model/effects_tab.c: $(srcdir)/slicer/model/effects.tab
	$(AM_V_GEN)$(MKDIR_P) slicer/model && { \
	  echo '/* SPDX-License-Identifier: GPL-3.0-or-later'; \
	  echo ' * Generated from slicer/model/effects.tab: its text. */'; \
	  echo 'extern const char cs_effects_tab[];'; \
	  echo 'const char cs_effects_tab[] ='; \
	  $(SED) -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/slicer/model/effects.tab; \
	  echo ';'; } >$@.tmp && mv $@.tmp $@
CLEANFILES += slicer/model/effects_tab.c
dist_pkgdata_DATA = slicer/model/effects.tab
