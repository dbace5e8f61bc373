/* SPDX-License-Identifier: BSD-3-Clause
 * The part of trap_opaque_state.c that the slicer does not see: it asks the C library for what the program has set
 * there.
 * Each function returns a small number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int draw(void)
{
    return rand() % 20 + 1;
}

int from_environment(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

int from_file_here(const char *name)
{
    int n = 0;
    FILE *f = fopen(name, "r");
    if (!f) return 0;
    if (fscanf(f, "%d", &n) != 1) n = 0;
    fclose(f);
    return n;
}

int next_byte(int fd)
{
    char byte = 0;
    return read(fd, &byte, 1) == 1 ? byte - '0' : 0;
}

int next_word(void)
{
    const char *word = strtok(NULL, ",");
    return word ? (int)strlen(word) : 0;
}
