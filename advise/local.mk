# SPDX-License-Identifier: GPL-3.0-or-later
# commslice-advise, which `commslice advise` and `commslice why` start: the slicer without a compiler.
pluginexec_PROGRAMS += advise/commslice-advise
advise_commslice_advise_SOURCES = \
	advise/commslice-advise.c \
	advise/reasons.c \
	advise/reasons.h \
	advise/search.c \
	advise/search.h \
	advise/unchanged.c \
	advise/unchanged.h \
	advise/trial.c \
	advise/trial.h
advise_commslice_advise_LDADD = slicer/libcsslicer.a api/libcsapi.a base/libcsbase.a $(ZSTD_LIBS)
