# SPDX-License-Identifier: BSD-3-Clause
# CS_GCC_PLUGIN(FIRST, LAST): $CC and $CXX must be the same GCC, of a version from FIRST to LAST, with its plugin headers.
# Sets GCC_PLUGIN_CPPFLAGS and GCC_MAJOR. A plugin only loads into the very compiler whose headers it was built with.
AC_DEFUN([CS_GCC_PLUGIN], [
  AC_MSG_CHECKING([for GCC $1 to $2 and its plugin headers])
  cs_gcc_version=`$CC -dumpfullversion 2>/dev/null`
  cs_gcc_major=${cs_gcc_version%%.*}
  AS_IF([test "${cs_gcc_major:-0}" -lt $1 || test "$cs_gcc_major" -gt $2],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([commslice needs GCC $1 to $2, but $CC is ${cs_gcc_version:-not GCC}: configure with CC=gcc-$1 CXX=g++-$1])])
  # The C++ compiler must be its twin, as the headers depend on the ABI.
  cs_gxx_version=`$CXX -dumpfullversion 2>/dev/null`
  AS_IF([test "$cs_gxx_version" != "$cs_gcc_version"],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([CXX ($CXX) is ${cs_gxx_version:-not GCC} but CC ($CC) is $cs_gcc_version: configure with CXX=g++-$cs_gcc_major])])
  cs_plugin_dir=`$CC -print-file-name=plugin`
  AS_IF([test ! -f "$cs_plugin_dir/include/gcc-plugin.h"],
    [AC_MSG_RESULT([no])
     AC_MSG_ERROR([the plugin headers of GCC $cs_gcc_version are missing (Debian: gcc-$cs_gcc_major-plugin-dev)])])
  AC_MSG_RESULT([$cs_gcc_version])
  AC_SUBST([GCC_MAJOR], [$cs_gcc_major])
  AC_SUBST([GCC_PLUGIN_CPPFLAGS], ["-isystem $cs_plugin_dir/include"])
])
