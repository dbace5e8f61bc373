# SPDX-License-Identifier: BSD-3-Clause
# libcsskeleton: the functions of generated programs, prelude.c, as text and by parts; how fast their work loop is here.
skeleton_libcsskeleton_a_SOURCES += \
	skeleton/prelude/prelude_parts.c \
	skeleton/prelude/prelude_parts.h \
	skeleton/prelude/work_rate.c
nodist_skeleton_libcsskeleton_a_SOURCES = skeleton/prelude/prelude_text.h
BUILT_SOURCES += skeleton/prelude/prelude_text.h
CLEANFILES += skeleton/prelude/prelude_text.h
EXTRA_DIST += skeleton/prelude/prelude.c skeleton/prelude/prelude_work.c
skeleton/prelude/prelude_text.h: skeleton/prelude/prelude_work.c skeleton/prelude/prelude.c
	$(AM_V_GEN)$(MKDIR_P) skeleton/prelude && { echo 'static const char prelude_text[] ='; \
	  cat $(srcdir)/skeleton/prelude/prelude_work.c $(srcdir)/skeleton/prelude/prelude.c | sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/'; echo '    ;'; } >$@.new && mv $@.new $@
# What one target alone needs: BUILT_SOURCES are made for `all` only.
skeleton/prelude/prelude_parts.$(OBJEXT): skeleton/prelude/prelude_text.h
