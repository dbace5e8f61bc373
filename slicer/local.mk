# SPDX-License-Identifier: GPL-3.0-or-later
# libcsslicer: the analyses on the program graph. It knows no GCC header and is linked into the plugin and into tests.
noinst_LIBRARIES += slicer/libcsslicer.a
slicer_libcsslicer_a_SOURCES = \
	slicer/pointsto/allocators.c slicer/pointsto/allocators.h slicer/control/assume.c slicer/control/assume.h slicer/graph/bits.c slicer/graph/bits.h slicer/control/cfg.c slicer/control/cfg.h slicer/messages/message_channels.c slicer/messages/message_channels.h slicer/decide.c slicer/decide.h slicer/control/dom.c slicer/control/dom.h slicer/test_drop.c slicer/test_drop.h slicer/model/effects.c \
	slicer/model/effects.h slicer/model/effects_model.c slicer/model/effects_internal.h slicer/model/effects_token.c \
	slicer/graph/graph.c slicer/graph/graph.h slicer/text/graph_read.c slicer/text/graph_read_operand.c slicer/text/graph_read_stmt.c slicer/text/graph_reader.h slicer/text/graph_text.h \
	slicer/text/graph_token.c slicer/text/graph_words.c slicer/text/graph_write.c slicer/text/graph_write_stmt.c slicer/text/graph_writer.h slicer/live/live.c slicer/live/live.h slicer/live/live_calls.c slicer/live/live_context.c slicer/live/live_equal.c slicer/live/live_flow.c slicer/live/live_marks.c slicer/live/live_memory.c slicer/live/live_null.c slicer/live/live_order.c \
	slicer/live/live_internal.h slicer/live/live_setup.c slicer/live/live_stable.c slicer/live/live_units.c slicer/messages/call_match.c slicer/messages/call_match.h slicer/model/model.c slicer/model/model.h slicer/model/model_build.c slicer/model/model_build.h \
	slicer/model/mpi_buffer.c slicer/model/mpi_model.c slicer/model/mpi_internal.h slicer/graph/offsets.c slicer/graph/offsets.h slicer/control/phase.c slicer/control/phase.h slicer/pointsto/pointsto.c slicer/pointsto/pointsto.h \
	slicer/pointsto/pointsto_ask.c slicer/pointsto/pointsto_calls.c slicer/pointsto/pointsto_context.c slicer/pointsto/pointsto_copy.c slicer/pointsto/pointsto_flow.c slicer/pointsto/pointsto_memory.c slicer/pointsto/pointsto_internal.h \
	slicer/pointsto/pointsto_set.c slicer/pointsto/pointsto_stmt.c \
	slicer/refuse.c slicer/refuse.h slicer/slice.c slicer/slice.h slicer/control/throws.c slicer/control/throws.h slicer/graph/storage.c slicer/graph/storage.h slicer/messages/variance.c slicer/messages/variance.h slicer/messages/variance_flow.c slicer/messages/variance_internal.h

# The effects table travels in the library as one string, so that the plugin needs no file beside it.
# Declare it where it is used: extern const char cs_effects_tab[];
nodist_slicer_libcsslicer_a_SOURCES = slicer/effects_tab.c
slicer/effects_tab.c: $(srcdir)/slicer/model/effects.tab
	$(AM_V_GEN)$(MKDIR_P) slicer && { \
	  echo '/* SPDX-License-Identifier: GPL-3.0-or-later'; \
	  echo ' * Generated from slicer/model/effects.tab: its text. */'; \
	  echo 'extern const char cs_effects_tab[];'; \
	  echo 'const char cs_effects_tab[] ='; \
	  $(SED) -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $(srcdir)/slicer/model/effects.tab; \
	  echo ';'; } >$@.tmp && mv $@.tmp $@
CLEANFILES += slicer/effects_tab.c
dist_pkgdata_DATA = slicer/model/effects.tab
