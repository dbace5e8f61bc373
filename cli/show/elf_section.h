/* SPDX-License-Identifier: BSD-3-Clause
 * A section of an executable, by its name. */
#ifndef CS_ELF_SECTION_H
#define CS_ELF_SECTION_H

#include <gelf.h>

/* NULL if the file is no ELF file, or has no such section. It lives as long as `elf`. */
Elf_Scn *cs_elf_section(Elf *elf, const char *name);

#endif
