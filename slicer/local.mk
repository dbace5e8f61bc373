# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the analyses on the program graph. It knows no GCC header and is linked into the plugin and into tests.
noinst_LIBRARIES += slicer/libcsslicer.a
slicer_libcsslicer_a_SOURCES = \
	slicer/allocators.c slicer/allocators.h slicer/assume.c slicer/assume.h slicer/bits.c slicer/bits.h slicer/cfg.c slicer/cfg.h slicer/channels.c slicer/channels.h slicer/decide.c slicer/decide.h slicer/dom.c slicer/dom.h slicer/drop.c slicer/drop.h slicer/effects.c \
	slicer/effects.h slicer/effects_model.c slicer/effects_parts.h slicer/effects_token.c \
	slicer/graph.c slicer/graph.h slicer/graph_read.c slicer/graph_read_operand.c slicer/graph_read_stmt.c slicer/graph_reader.h slicer/graph_text.h \
	slicer/graph_token.c slicer/graph_words.c slicer/graph_write.c slicer/graph_write_stmt.c slicer/graph_writer.h slicer/live.c slicer/live.h slicer/live_calls.c slicer/live_context.c slicer/live_equal.c slicer/live_flow.c slicer/live_marks.c slicer/live_memory.c slicer/live_null.c slicer/live_order.c \
	slicer/live_parts.h slicer/live_setup.c slicer/live_stable.c slicer/live_units.c slicer/match.c slicer/match.h slicer/model.c slicer/model.h slicer/model_build.c slicer/model_build.h \
	slicer/mpi_buffer.c slicer/mpi_model.c slicer/mpi_parts.h slicer/pattern.c slicer/pattern.h slicer/phase.c slicer/phase.h slicer/pointsto.c slicer/pointsto.h \
	slicer/pointsto_ask.c slicer/pointsto_calls.c slicer/pointsto_context.c slicer/pointsto_copy.c slicer/pointsto_flow.c slicer/pointsto_memory.c slicer/pointsto_parts.h \
	slicer/pointsto_set.c slicer/pointsto_stmt.c \
	slicer/refuse.c slicer/refuse.h slicer/slice.c slicer/slice.h slicer/throws.c slicer/throws.h slicer/util.c slicer/util.h slicer/variance.c slicer/variance.h slicer/variance_flow.c slicer/variance_parts.h

# The effects table travels in the library as one string, so that the plugin needs no file beside it.
# Declare it where it is used: extern const char cs_effects_tab[];
nodist_slicer_libcsslicer_a_SOURCES = slicer/effects_tab.c
slicer/effects_tab.c: $(srcdir)/slicer/effects.tab
	$(AM_V_GEN)$(MKDIR_P) slicer && { \
	  echo '/* SPDX-License-Identifier: GPL-3.0-or-later'; \
	  echo ' * Generated from slicer/effects.tab: its text. */'; \
	  echo 'extern const char cs_effects_tab[];'; \
	  echo 'const char cs_effects_tab[] ='; \
	  $(SED) -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/slicer/effects.tab; \
	  echo ';'; } >$@.tmp && mv $@.tmp $@
CLEANFILES += slicer/effects_tab.c
dist_pkgdata_DATA = slicer/effects.tab
