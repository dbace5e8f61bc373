/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether the C library computes the bits that GCC computes. It is asked: this compiler runs with one, which is mostly
 * that of the program. */
#include "gcc-plugin/folds/folds.h"

#include "fold-const-call.h"
#include "real.h"

#include <dlfcn.h>
#include <string>

static void *library()
{
    static void *libm = dlopen("libm.so.6", RTLD_LAZY);
    return libm;
}

static bool is_double(tree type)
{
    return TYPE_MODE(type) == TYPE_MODE(double_type_node);
}

static bool is_float(tree type)
{
    return TYPE_MODE(type) == TYPE_MODE(float_type_node);
}

/* The library's function; null if it is none of real numbers of one size. Of the C library that this compiler runs
 * with, which is mostly that of the program. */
void *cs_library_function(gimple *g)
{
    tree type = gimple_call_lhs(g) ? TREE_TYPE(gimple_call_lhs(g)) : NULL_TREE;
    bool plain = type && SCALAR_FLOAT_TYPE_P(type) && (is_double(type) || is_float(type));
    for (unsigned i = 0; i < gimple_call_num_args(g) && plain; i++)
        plain = TYPE_MODE(TREE_TYPE(gimple_call_arg(g, i))) == TYPE_MODE(type);
    return plain ? dlsym(library(), IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(gimple_call_fndecl(g)))) : NULL;
}

/* A number as the program's machine has it, which is this one. */
template <typename T> static T number(tree constant)
{
    long words[4] = {};
    T x;
    real_to_target(words, &TREE_REAL_CST(constant), TYPE_MODE(TREE_TYPE(constant)));
    unsigned bytes[2] = {(unsigned)words[0], (unsigned)words[1]};
    memcpy(&x, bytes, sizeof x);
    return x;
}

/* Does the library give the bits that GCC computes, for these arguments? */
template <typename T> static bool library_agrees(void *fn, tree folded, const tree *args, unsigned n)
{
    T x = number<T>(args[0]), want = number<T>(folded);
    T got = n == 1 ? ((T(*)(T))fn)(x) : ((T(*)(T, T))fn)(x, number<T>(args[1]));
    return !memcmp(&got, &want, sizeof got);
}

bool cs_library_gives(const char *name, tree result, const tree *args, unsigned n)
{
    tree type = TREE_TYPE(result);
    bool plain = SCALAR_FLOAT_TYPE_P(type) && (is_double(type) || is_float(type));
    for (unsigned i = 0; i < n; i++)
        plain &= args[i] && TREE_CODE(args[i]) == REAL_CST && TYPE_MODE(TREE_TYPE(args[i])) == TYPE_MODE(type);
    void *fn = plain ? dlsym(library(), (std::string(name) + (is_float(type) ? "f" : "")).c_str()) : NULL;
    if (!fn)
        return false;
    return is_double(type) ? library_agrees<double>(fn, result, args, n) : library_agrees<float>(fn, result, args, n);
}

/* Does it, where GCC computes anything? */
bool cs_library_agrees(gimple *g, void *fn, const tree *args, unsigned n)
{
    tree type = TREE_TYPE(gimple_call_lhs(g));
    combined_fn code = gimple_call_combined_fn(g);
    tree c = n == 1 ? fold_const_call(code, type, args[0]) : fold_const_call(code, type, args[0], args[1]);
    if (!c)
        return true;
    if (TREE_CODE(c) != REAL_CST)
        return false;
    return is_double(type) ? library_agrees<double>(fn, c, args, n) : library_agrees<float>(fn, c, args, n);
}
