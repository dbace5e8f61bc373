/* SPDX-License-Identifier: BSD-3-Clause
 * Names of C++ functions for people: readable.h. The demangler is libstdc++'s; where that is not installed, the
 * linker's name must do. No other code is taken from it, so it is looked for only when a name of C++ is met. */
#include "cli/show/readable.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/text.h"

typedef char *demangler(const char *, char *, size_t *, int *);

static demangler *find_demangler(void)
{
    static demangler *found;
    static bool looked;
    void *lib = looked ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY);
    looked = true;
    if (lib)
        *(void **)&found = dlsym(lib, "__cxa_demangle");
    return found;
}

void cs_put_name(FILE *out, const char *name)
{
    demangler *demangle = strncmp(name, "_Z", 2) ? NULL : find_demangler();
    int status;
    char *text = demangle ? demangle(name, NULL, NULL, &status) : NULL;
    cs_put_plain(out, text ? text : name);
    free(text);
}
