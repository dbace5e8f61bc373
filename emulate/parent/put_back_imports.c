/* SPDX-License-Identifier: BSD-3-Clause
 * See put_back_imports.h. The relocations of the program, and of each library that is not known, name what they import;
 * put_back_functions.def has the functions of the C library that are fine. */
#define _GNU_SOURCE
#include "emulate/parent/put_back_imports.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cold.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* How the imports from a library are judged. */
enum trust {
    CHECKED, /* as the program is: by what it imports itself */
    FINE,    /* all */
    LISTED,  /* what the list has */
    BUT      /* all that has none of the words below in its name */
};

/* Libraries by the beginnings of their file names. */
static const struct known {
    const char *file;
    enum trust trust;
} known[] = {{"libc.so.", LISTED},     {"libcommslice-", LISTED}, {"ld-linux-", LISTED},
             {"linux-vdso.", FINE},    {"libm.so.", FINE},        {"libmvec.so.", FINE},
             {"libgcc_s.so.", FINE},   {"libquadmath.so.", FINE}, {"libmpichfort.so.", FINE},
             {"libmpifort.so.", FINE}, {"libmpichcxx.so.", FINE}, {"libmpicxx.so.", FINE},
             {"libgfortran.so.", BUT}, {"libstdc++.so.", BUT}};

static const char *const listed[] = {
#define FUNCTION(name) #name,
#include "emulate/parent/put_back_functions.def"
#undef FUNCTION
};

/* In names of libstdc++ and libgfortran: what has threads, processes, folders, signals, locales, processor time. */
static const char *const bad_words[] = {"thread",
                                        "random_device",
                                        "filesystem",
                                        "condition_variable",
                                        "future",
                                        "locale6global",
                                        "localeC1EPKc",
                                        "localeC2EPKc",
                                        "execute_command",
                                        "chdir",
                                        "umask",
                                        "alarm",
                                        "signal",
                                        "kill",
                                        "fork",
                                        "getpid",
                                        "cpu_time",
                                        "etime",
                                        "dtime",
                                        "mclock",
                                        "second",
                                        "_caf_",
                                        "gfortran_system_sub",
                                        "gfortran_system_func"};

static const char *file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

static enum trust trust_of(const char *path)
{
    const char *file = file_name(path);
    for (size_t i = 0; i < COUNT(known); i++)
        if (strncmp(file, known[i].file, strlen(known[i].file)) == 0)
            return known[i].trust;
    return CHECKED;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, *(const char *const *)b);
}

static bool is_listed(const char *name)
{
    return bsearch(name, listed, COUNT(listed), sizeof *listed, compare) != NULL;
}

/* As the headers rename it: __isoc99_sscanf, __sprintf_chk. */
static bool is_listed_variant(const char *name)
{
    char plain[64];
    const char *from = name, *isoc = "__isoc99_";
    size_t n = strlen(name);
    if (strncmp(name, isoc, strlen(isoc)) == 0)
        return is_listed(name + strlen(isoc));
    if (n < 7 || n >= sizeof plain || strncmp(name, "__", 2) != 0 || strcmp(name + n - 4, "_chk") != 0)
        return false;
    snprintf(plain, sizeof plain, "%.*s", (int)(n - 6), from + 2);
    return is_listed(plain);
}

static bool is_mpi(const char *name)
{
    return strncmp(name, "MPI", 3) == 0 || strncmp(name, "PMPI", 4) == 0 || strncmp(name, "mpi", 3) == 0 ||
           strncmp(name, "pmpi", 4) == 0;
}

static bool has_bad_word(const char *name)
{
    for (size_t i = 0; i < COUNT(bad_words); i++)
        if (strstr(name, bad_words[i]))
            return true;
    return false;
}

/* A function that nobody defines is not called. */
static bool is_fine(const char *name)
{
    Dl_info from;
    void *p = dlsym(RTLD_DEFAULT, name);
    if (!p || is_listed(name) || is_listed_variant(name))
        return true;
    if (!dladdr(p, &from))
        return false;
    switch (trust_of(from.dli_fname)) {
    case CHECKED:
    case FINE: return true;
    case BUT: return !has_bad_word(name);
    case LISTED: break;
    }
    return is_mpi(name) && strncmp(file_name(from.dli_fname), "libcommslice-", strlen("libcommslice-")) == 0;
}

/* What a program or library says of itself, and needed here. */
struct dynamic {
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * table[2]; /* of data, and of functions */
    size_t bytes[2];
};

static struct dynamic dynamic_of(const struct link_map *m)
{
    struct dynamic d = {0};
    for (const ElfW(Dyn) *e = m->l_ld; e->d_tag != DT_NULL; e++)
        switch (e->d_tag) {
        case DT_SYMTAB: d.symbols = (const ElfW(Sym) *)e->d_un.d_ptr; break;
        case DT_STRTAB: d.strings = (const char *)e->d_un.d_ptr; break;
        case DT_RELA: d.table[0] = (const ElfW(Rela) *)e->d_un.d_ptr; break;
        case DT_RELASZ: d.bytes[0] = e->d_un.d_val; break;
        case DT_JMPREL: d.table[1] = (const ElfW(Rela) *)e->d_un.d_ptr; break;
        case DT_PLTRELSZ: d.bytes[1] = e->d_un.d_val; break;
        default: break;
        }
    return d;
}

static bool imports_are_fine(const struct link_map *m)
{
    struct dynamic d = dynamic_of(m);
    for (int t = 0; t < 2; t++)
        for (size_t i = 0; d.table[t] && i < d.bytes[t] / sizeof *d.table[t]; i++) {
            size_t n = ELF64_R_SYM(d.table[t][i].r_info);
            if (n && d.symbols[n].st_shndx == SHN_UNDEF && !is_fine(d.strings + d.symbols[n].st_name))
                return false;
        }
    return d.symbols && d.strings;
}

bool cs_emu_put_back_imports(void)
{
    const struct link_map *m = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    for (; m; m = m->l_next)
        if (trust_of(m->l_name) == CHECKED && !imports_are_fine(m))
            return false;
    return true;
}
