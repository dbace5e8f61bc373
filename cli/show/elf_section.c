/* SPDX-License-Identifier: BSD-3-Clause
 * Finds a section of an executable; elf_section.h. */
#include "cli/show/elf_section.h"

#include <string.h>

Elf_Scn *cs_elf_section(Elf *elf, const char *wanted)
{
    size_t names;
    if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
        return NULL;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr head;
        const char *name = gelf_getshdr(scn, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;
        if (name && strcmp(name, wanted) == 0)
            return scn;
    }
    return NULL;
}
