/* SPDX-License-Identifier: BSD-3-Clause
 * The table of functions that give memory; allocation.h. */
#include "api/allocation.h"

#include <stddef.h>
#include <string.h>

/* A function, and an argument of it that is a size. */
static const struct {
    const char *symbol;
    int arg;
    const char *name;
} sizes[] = {
    {"malloc", 0, "size"},        {"calloc", 0, "nmemb"}, {"calloc", 1, "size"},         {"realloc", 1, "size"},
    {"reallocarray", 1, "nmemb"}, {"_Znwm", 0, "size"},   {"_Znam", 0, "size"},          {"aligned_alloc", 1, "size"},
    {"memalign", 1, "size"},      {"valloc", 0, "size"},  {"posix_memalign", 2, "size"},
};

const char *cs_allocation_size(const char *symbol, int arg)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].arg == arg && !strcmp(sizes[i].symbol, symbol))
            return sizes[i].name;
    return NULL;
}
