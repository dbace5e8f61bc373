/* SPDX-License-Identifier: BSD-3-Clause
 * Text for people and shells: text.h.
 * A name of a file may hold any byte but 0 and '/', and a message must stay one line. */
#define _GNU_SOURCE 1
#include "cli/frame/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int cs_utf8_length(const unsigned char *s)
{
    int n = s[0] < 0x80                   ? 1
            : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
            : (s[0] & 0xf0) == 0xe0       ? 3
            : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                          : 0;
    for (int i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool longer = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool beyond = (s[0] == 0xed && s[1] >= 0xa0) || (s[0] == 0xf4 && s[1] > 0x8f);
    return longer || beyond ? 0 : n;
}

void cs_put_plain(FILE *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
        if (*s == '\n')
            fputs("\\n", out);
        else if (*s == '\t')
            fputs("\\t", out);
        else if (*s < ' ' || *s == 0x7f)
            fprintf(out, "\\%03o", *s);
        else
            putc(*s, out);
    }
}

void cs_print_plain(FILE *out, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) >= 0)
        cs_put_plain(out, text);
    va_end(ap);
    putc('\n', out);
    free(text);
}

void cs_put_shell_word(FILE *out, const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,/:@%";
    if (*word && word[strspn(word, safe)] == 0) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}
