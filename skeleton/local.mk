# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: from a merged run to a program. The text of generated programs' own functions comes from prelude.c.
noinst_LIBRARIES += skeleton/libcsskeleton.a
skeleton_libcsskeleton_a_SOURCES = \
	skeleton/balance.c \
	skeleton/balance.h \
	skeleton/buffers.c \
	skeleton/closed.c \
	skeleton/definitions.c \
	skeleton/emit_call.c \
	skeleton/emit_nest.c \
	skeleton/emit_requests.c \
	skeleton/emit_text.c \
	skeleton/gen.h \
	skeleton/generate.c \
	skeleton/in_place.c \
	skeleton/plan.c \
	skeleton/skeleton.h \
	skeleton/together.c \
	skeleton/values.c \
	skeleton/vary.c \
	skeleton/work_rate.c
nodist_skeleton_libcsskeleton_a_SOURCES = skeleton/prelude_text.h
BUILT_SOURCES += skeleton/prelude_text.h
CLEANFILES += skeleton/prelude_text.h
EXTRA_DIST += skeleton/prelude.c skeleton/prelude_work.c
skeleton/prelude_text.h: skeleton/prelude_work.c skeleton/prelude.c
	$(AM_V_GEN)$(MKDIR_P) skeleton && { echo 'static const char prelude_text[] ='; \
	  cat $(srcdir)/skeleton/prelude_work.c $(srcdir)/skeleton/prelude.c | sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/'; echo '    ;'; } >$@.new && mv $@.new $@
