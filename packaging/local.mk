# SPDX-License-Identifier: BSD-3-Clause
# What an installation has beside programs, libraries and manual pages: pages, demo, completion for three shells, packages of CMake
# and pkg-config, which find all else from where they are.

# The pages with what they link to, as in the sources.
nobase_doc_DATA = $(shell cd $(srcdir) && find CONTRIBUTING.md NEWS.md docs demo emulate/README.md npb-patches -type f ! -path 'docs/man/*' ! -path 'docs/pictures/draw*')

# The Python package, where the Python that configure found looks.
if HAVE_PYTHON
commslice_pydir = $(pythondir)/commslice
commslice_py_DATA = python/commslice/__init__.py python/commslice/library.py python/commslice/run.py
endif
EXTRA_DIST += python

bash_completiondir = $(datadir)/bash-completion/completions
dist_bash_completion_DATA = packaging/completion/commslice.bash
zsh_completiondir = $(datadir)/zsh/site-functions
dist_zsh_completion_DATA = packaging/completion/_commslice
fish_completiondir = $(datadir)/fish/vendor_completions.d
dist_fish_completion_DATA = packaging/completion/commslice.fish

# bash looks for a file of the command's name, fish for one of the command's name with .fish.
# Installed as NAME.so.0, with a link for the linker.
versioned_libraries = libcommslice libcommslice-balance
install-exec-hook:
	cd $(DESTDIR)$(libdir) && for l in $(versioned_libraries); do mv -f $$l.so $$l.so.0 && $(LN_S) -f $$l.so.0 $$l.so || exit 1; done
install-data-hook:
	chmod +x $(DESTDIR)$(docdir)/npb-patches/try
	cd $(DESTDIR)$(bash_completiondir) && mv -f commslice.bash commslice && \
		for c in mpicc mpicxx mpifort; do $(LN_S) -f commslice commslice-$$c || exit 1; done
	cd $(DESTDIR)$(fish_completiondir) && for c in mpicc mpicxx mpifort; do $(LN_S) -f commslice.fish commslice-$$c.fish || exit 1; done
uninstall-hook:
	cd $(DESTDIR)$(libdir) && for l in $(versioned_libraries); do rm -f $$l.so.0 || exit 1; done
	cd $(DESTDIR)$(bash_completiondir) && rm -f commslice commslice-mpicc commslice-mpicxx commslice-mpifort
	cd $(DESTDIR)$(fish_completiondir) && rm -f commslice-mpicc.fish commslice-mpicxx.fish commslice-mpifort.fish

cmakedir = $(libdir)/cmake/commslice
nodist_cmake_DATA = packaging/cmake/commslice-config.cmake packaging/cmake/commslice-config-version.cmake
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = packaging/commslice.pc packaging/commslice-balance.pc
EXTRA_DIST += debian packaging/cmake packaging/spack packaging/commslice.pc.in packaging/commslice-balance.pc.in
CLEANFILES += $(nodist_cmake_DATA) $(nodist_pkgconfig_DATA)
relative_to = realpath -m --relative-to=
packaging/%: packaging/%.in Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sed \
		-e 's|[@]PACKAGE_VERSION[@]|$(PACKAGE_VERSION)|g' \
		-e "s|@prefix_of_cmakedir@|`$(relative_to)$(cmakedir) $(prefix)`|g" \
		-e "s|@prefix_of_pkgconfigdir@|`$(relative_to)$(pkgconfigdir) $(prefix)`|g" \
		-e "s|@bindir_in_prefix@|`$(relative_to)$(prefix) $(bindir)`|g" \
		-e "s|@libdir_in_prefix@|`$(relative_to)$(prefix) $(libdir)`|g" \
		-e "s|@includedir_in_prefix@|`$(relative_to)$(prefix) $(includedir)`|g" $< > $@.new && mv $@.new $@
