/* SPDX-License-Identifier: BSD-3-Clause
 * Text and numbers as HTML: what the sections of the report write with.
 * Nothing that comes from a trace reaches the page but through cs_html_text. */
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/frame/cli.h"
#include "cli/report/report_text.h"
#include "cli/frame/text.h"

/* Bytes of a UTF-8 sequence that is a character of XML, too; 0: there is none. */
static int character(const unsigned char *s)
{
    int n = cs_utf8_length(s);
    bool no_character = s[0] == 0xef && n == 3 && s[1] == 0xbf && s[2] >= 0xbe;
    bool control =
        (s[0] < 0x20 && s[0] != '\t' && s[0] != '\n') || s[0] == 0x7f || (s[0] == 0xc2 && n == 2 && s[1] < 0xa0);
    return no_character || control ? 0 : n;
}

void cs_html_text(FILE *out, const char *text)
{
    for (const unsigned char *s = (const unsigned char *)(text ? text : ""); *s;) {
        int n = character(s);
        switch (*s) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default:
            if (n)
                fwrite(s, 1, (size_t)n, out);
            else
                fputs("\xef\xbf\xbd", out);
        }
        s += n ? n : 1;
    }
}

void cs_html_textf(FILE *out, const char *fmt, ...)
{
    char *text;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    cs_html_text(out, text);
    free(text);
}

const char *cs_grouped(char buf[32], uint64_t n)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = 0;
    return buf;
}

void cs_html_number(FILE *out, uint64_t n)
{
    char buf[32];
    fprintf(out, "<td class=\"n\" data-v=\"%" PRIu64 "\">%s</td>", n, cs_grouped(buf, n));
}

void cs_html_bytes(FILE *out, uint64_t n)
{
    char buf[32], all[32];
    fprintf(out, "<td class=\"n\" data-v=\"%" PRIu64 "\" title=\"%s bytes\">%s</td>", n, cs_grouped(all, n),
            cs_human_bytes(buf, n));
}

void cs_html_share(FILE *out, double share, const char *style)
{
    char buf[16];
    if (share <= 0) {
        fputs("<td data-v=\"0\"></td>", out);
        return;
    }
    fprintf(
        out,
        "<td class=\"share\" data-v=\"%.6f\"><span class=\"meter\"><i class=\"%s\" style=\"width:%.1f%%\"></i></span>",
        share, style, 100 * share);
    cs_html_text(out, cs_percent(buf, share));
    fputs("</td>", out);
}

void cs_html_ranks(FILE *out, const struct cs_ranges *ranks, int most)
{
    for (int i = 0; i < ranks->n; i++) {
        const struct cs_range *g = &ranks->range[i];
        if (i == most) {
            fprintf(out, ", ... (%d in all)", ranks->total);
            break;
        }
        fprintf(out, "%s%d", i ? ", " : "", g->start);
        if (g->len > 1)
            fprintf(out, "%s%d", g->len == 2 && g->stride != 1 ? ", " : "\xe2\x80\x93",
                    g->start + (g->len - 1) * g->stride);
        if (g->len > 2 && g->stride != 1)
            fprintf(out, "/%d", g->stride);
    }
}

const char *cs_size_label(char buf[48], int bucket)
{
    char from[12], to[12];
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bucket == 0)
        return strcpy(buf, "0 B");
    if (bucket == 1)
        return strcpy(buf, "1 B");
    int k = bucket - 1;
    snprintf(from, sizeof from, "%d", 1 << k % 10);
    snprintf(to, sizeof to, "%d", 2 << k % 10);
    if (k < 10)
        snprintf(buf, 48, "%s\xe2\x80\x93%d B", from, (2 << k) - 1);
    else
        snprintf(buf, 48, "%s\xe2\x80\x93%s %s", from, to, unit[k / 10]);
    return buf;
}
