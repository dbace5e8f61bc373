/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of assumptions; unchanged.h. A condition that went one way each time that a recorded run asked it chooses
 * nothing there, and what only the other way needs, or what only decides it, may go. */
#include "advise/unchanged.h"

#include <stdlib.h>
#include <string.h>

#include "slicer/advise/candidates.h"
#include "slicer/advise/choice.h"
#include "slicer/graph/storage.h"

static void add(struct cs_unchanged *t, const char *text)
{
    size_t size = strlen(text) + 1;
    t->text = cs_realloc(t->text, (size_t)(t->n + 1) * sizeof *t->text);
    t->text[t->n++] = memcpy(cs_calloc(size, 1), text, size);
}

/* FILE:LINE has one colon, FILE:LINE:NAME two, and what is about files none. */
static int colons(const char *text, size_t n)
{
    int found = 0;
    for (size_t i = 0; i < n; i++)
        found += text[i] == ':';
    return found;
}

/* The part in front of `=`, without the number of a comparison: of a.c:12.1=never it is a.c:12. */
static size_t place_length(const char *text)
{
    size_t n = strcspn(text, "="), digits = n;
    while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
        digits--;
    return digits > 1 && digits < n && text[digits - 1] == '.' && text[digits - 2] != ':' ? digits - 1 : n;
}

/* Does a hint say of the whole line that it always went one way, or how often its loop ran, or what it did each time?
 * Then hints about one of its comparisons say no more. */
static bool whole_line_told(char *const *hints, const char *text)
{
    size_t n = strcspn(text, "="), whole = place_length(text);
    for (int i = 0; whole < n && hints[i]; i++) {
        const char *is = hints[i] + whole;
        if (!strncmp(hints[i], text, whole) && *is == '=' && !cs_hint_varies(is + 1) &&
            (!strcmp(is, "=never") || !strcmp(is, "=always") || cs_hint_has_trips(hints[i])))
            return true;
    }
    return false;
}

struct cs_unchanged cs_unchanged_new(char *const *hints, bool values)
{
    struct cs_unchanged t = {0};
    for (int i = 0; hints[i] && t.n < CS_CHOICE_MOST; i++) {
        size_t n = strcspn(hints[i], "=");
        const char *is = hints[i] + n;
        int place = colons(hints[i], n);
        bool way = place == 1 && (!strcmp(is, "=never") || !strcmp(is, "=always")) && !whole_line_told(hints, hints[i]);
        bool number = *is && !cs_hint_varies(is + 1) && (place == 2 || cs_hint_has_trips(hints[i]));
        if (way || (values && number))
            add(&t, hints[i]);
    }
    return t;
}

struct cs_unchanged cs_unchanged_part(const struct cs_unchanged *of, const bool *in)
{
    struct cs_unchanged t = {0};
    for (int i = 0; i < of->n; i++)
        if (in[i])
            add(&t, of->text[i]);
    return t;
}

void cs_unchanged_free(struct cs_unchanged *t)
{
    for (int i = 0; i < t->n; i++)
        free(t->text[i]);
    free(t->text);
}

bool cs_unchanged_same_place(const char *a, const char *b)
{
    size_t n = place_length(a);
    return n == place_length(b) && !strncmp(a, b, n);
}
