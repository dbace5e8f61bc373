# SPDX-License-Identifier: BSD-3-Clause
# libcommslice, which programs read traces with, and what of it the command has, too.
noinst_LIBRARIES += reading/libcsreading.a
reading_libcsreading_a_SOURCES = \
	%D%/commslice.h \
	%D%/rank_events.c \
	%D%/locations.c \
	%D%/locations.h \
	%D%/loops.c \
	%D%/open.c \
	%D%/reader.h \
	%D%/sums.c
reading_libraries = reading/libcsreading.a trace/libcstrace.a api/libcsapi.a base/libcsbase.a

# The archives as a whole behind a list of what may be seen.
readingexecdir = $(libdir)
readingexec_PROGRAMS = reading/libcommslice.so
reading_libcommslice_so_SOURCES =
reading_libcommslice_so_LDFLAGS = -shared -Wl,-soname,libcommslice.so.0 -Wl,--version-script=$(top_srcdir)/reading/visible.map \
	-Wl,--whole-archive reading/libcsreading.a -Wl,--no-whole-archive
EXTRA_reading_libcommslice_so_DEPENDENCIES = reading/visible.map reading/libcsreading.a
EXTRA_DIST += reading/visible.map
reading_libcommslice_so_LDADD = trace/libcstrace.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS) $(DW_LIBS) $(ELF_LIBS)
noinst_DATA += reading/libcommslice.so.0
CLEANFILES += reading/libcommslice.so.0
reading/libcommslice.so.0: reading/libcommslice.so
	$(AM_V_GEN)$(LN_S) -f libcommslice.so $@

readingincludedir = $(includedir)
readinginclude_HEADERS = reading/commslice.h
dist_man_MANS += docs/man/libcommslice.3
