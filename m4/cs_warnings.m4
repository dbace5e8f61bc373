# SPDX-License-Identifier: BSD-3-Clause
# CS_WARNINGS: the warnings that the sources are kept free of, and --enable-werror.
# Sets CS_CFLAGS (C11) and CS_CXXFLAGS (what GCC demands of a plugin), both for position-independent code.
AC_DEFUN([CS_WARNINGS], [
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [warnings are errors])])
  CS_CFLAGS="-std=gnu11 -fPIC -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter"
  CS_CXXFLAGS="-std=gnu++14 -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -Wno-unused-parameter"
  AS_IF([test "$enable_werror" = yes],
    [CS_CFLAGS="$CS_CFLAGS -Werror" CS_CXXFLAGS="$CS_CXXFLAGS -Werror"])
  AC_SUBST([CS_CFLAGS])
  AC_SUBST([CS_CXXFLAGS])
])
