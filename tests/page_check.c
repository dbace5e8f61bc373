/* SPDX-License-Identifier: BSD-3-Clause
 * Checks a page of `commslice report`: UTF-8, tags that close in order, ids that are there once, links that stay on the
 * page, no address outside of it. Says what is wrong on standard error (exit code 1), and on standard output, as JSON,
 * what tests/report_check.sh compares with other verbs: tiles, rows of tables, the picture's data. Stricter than any
 * HTML library, and no more than the page's own HTML: that is the point. usage: page_check PAGE */
#define _GNU_SOURCE 1
#include <ctype.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200, NAME = 40, ATTRIBUTES = 32, VALUES = 32 };

struct attribute {
    char name[NAME];
    const char *value;
    size_t len;
};
struct tag {
    char name[NAME];
    struct attribute a[ATTRIBUTES];
    int n;
    bool closed;
};
struct list {
    char **v;
    size_t n;
};

static struct {
    char *text;
    size_t len;
    const char *p;
    struct {
        char name[NAME], id[NAME];
    } open[DEPTH];
    int depth, bad;
    struct list ids, links;
    bool in_row; /* what is collected of a table's row: */
    int cells, nvalues;
    char value[VALUES][NAME], first[NAME]; /* data-v of its cells; text of the first cell */
    bool any_row;
} page;

static void __attribute__((format(printf, 1, 2))) wrong(const char *fmt, ...)
{
    va_list args;
    size_t line = 1;
    for (const char *p = page.text; p && p < page.p; p++)
        line += *p == '\n';
    fprintf(stderr, "line %zu: ", line);
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fputc('\n', stderr);
    page.bad++;
}

static void *sure(void *p)
{
    if (!p) {
        perror("page_check");
        exit(2);
    }
    return p;
}

/* ---- the whole text ---- */

static void read_page(const char *name)
{
    FILE *f = sure(fopen(name, "rb"));
    size_t n;
    do {
        page.text = sure(realloc(page.text, page.len + 65537));
        n = fread(page.text + page.len, 1, 65536, f);
        page.len += n;
    } while (n);
    page.text[page.len] = 0;
    fclose(f);
}

/* Bytes of the UTF-8 character at s; 0: it is none. */
static size_t utf8_len(const unsigned char *s)
{
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                             : 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static void check_characters(void)
{
    for (size_t i = 0, n; i < page.len; i += n) {
        unsigned char c = (unsigned char)page.text[i];
        page.p = page.text + i;
        n = utf8_len((unsigned char *)page.text + i);
        if (!n) {
            wrong("no UTF-8");
            return;
        }
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f) {
            wrong("a control character");
            return;
        }
    }
}

/* Nothing from elsewhere; the picture's data, which are no addresses, are left out. */
static void check_addresses(void)
{
    regex_t away;
    regmatch_t m;
    char *rest = sure(strdup(page.text)), *from, *to;
    while ((from = strstr(rest, "<script type=\"application/json\"")) && (to = strstr(from, "</script>")))
        memmove(from, to + 9, strlen(to + 9) + 1);
    if (regcomp(&away, "(https?:)?//[a-z0-9]+\\.[a-z][a-z]|url\\([^)]*\\)|@import|<base|<iframe|<object|<embed",
                REG_EXTENDED))
        exit(2);
    page.p = page.text;
    for (const char *p = rest; regexec(&away, p, 1, &m, 0) == 0; p += m.rm_eo)
        wrong("an address: %.60s", p + m.rm_so);
    if (!strstr(page.text, "default-src 'none'"))
        wrong("no content policy");
    regfree(&away);
    free(rest);
}

/* ---- tags ---- */

static void keep(struct list *l, const char *s, size_t len)
{
    l->v = sure(realloc(l->v, (l->n + 1) * sizeof *l->v));
    l->v[l->n++] = sure(strndup(s, len));
}

static void name_to(char out[NAME])
{
    size_t n = 0;
    while (isalnum((unsigned char)*page.p) || (*page.p && strchr("-:_", *page.p))) {
        if (n + 1 < NAME)
            out[n++] = (char)tolower((unsigned char)*page.p);
        page.p++;
    }
    out[n] = 0;
}

static void skip_space(void)
{
    while (isspace((unsigned char)*page.p))
        page.p++;
}

static void read_attribute(struct tag *t)
{
    struct attribute a = {.value = "", .len = 0};
    name_to(a.name);
    if (!a.name[0]) {
        wrong("<%s>: no attribute: %.20s", t->name, page.p);
        page.p += *page.p != 0;
        return;
    }
    if (*page.p == '=') {
        if (*++page.p != '"') {
            wrong("<%s>: %s without quotes", t->name, a.name);
            return;
        }
        a.value = ++page.p;
        a.len = strcspn(page.p, "\"");
        page.p += a.len;
        page.p += *page.p == '"';
    }
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->a[i].name, a.name) == 0)
            wrong("<%s> has %s twice", t->name, a.name);
    if (t->n < ATTRIBUTES)
        t->a[t->n++] = a;
    else
        wrong("<%s> has too many attributes", t->name);
}

/* At `<name`. */
static struct tag read_tag(void)
{
    struct tag t = {.n = 0};
    page.p++;
    name_to(t.name);
    if (!t.name[0])
        wrong("a < that begins no tag");
    for (skip_space(); *page.p && *page.p != '>' && *page.p != '/'; skip_space())
        read_attribute(&t);
    t.closed = *page.p == '/';
    page.p += t.closed;
    if (*page.p != '>')
        wrong("<%s> does not end", t.name);
    page.p += *page.p != 0;
    return t;
}

static const struct attribute *get(const struct tag *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->a[i].name, name) == 0)
            return &t->a[i];
    return NULL;
}

static bool is_void(const char *name)
{
    static const char *const names[] = {"meta", "br", "hr", "img", "input", "link"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static const char *table_around(void)
{
    for (int i = page.depth; i-- > 0;)
        if (strcmp(page.open[i].name, "table") == 0)
            return page.open[i].id;
    return "";
}

static void print_string(const char *s, size_t len)
{
    putchar('"');
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '"' || s[i] == '\\')
            putchar('\\');
        if ((unsigned char)s[i] >= 0x20)
            putchar(s[i]);
    }
    putchar('"');
}

/* A row of a table: where, the text of its first cell, the values of its cells. */
static void end_row(void)
{
    printf("%s\n{\"table\": ", page.any_row ? "," : "");
    print_string(table_around(), strlen(table_around()));
    printf(", \"first\": ");
    print_string(page.first, strlen(page.first));
    printf(", \"v\": [");
    for (int i = 0; i < page.nvalues; i++) {
        fputs(i ? ", " : "", stdout);
        print_string(page.value[i], strlen(page.value[i]));
    }
    printf("]}");
    page.any_row = true;
    page.in_row = false;
}

static void start_tag(const struct tag *t)
{
    static const char *const links[] = {"href", "src", "xlink:href", "action", "data", "srcset", "poster"};
    const struct attribute *id = get(t, "id"), *v = get(t, "data-v");
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        if (get(t, links[i]))
            keep(&page.links, get(t, links[i])->value, get(t, links[i])->len);
    if (id)
        keep(&page.ids, id->value, id->len);
    if (strcmp(t->name, "tr") == 0) {
        page.in_row = true;
        page.cells = page.nvalues = 0;
        page.first[0] = 0;
    }
    page.cells += page.in_row && (strcmp(t->name, "td") == 0 || strcmp(t->name, "th") == 0);
    if (v && page.in_row && page.nvalues < VALUES)
        snprintf(page.value[page.nvalues++], NAME, "%.*s", (int)v->len, v->value);
    if (t->closed || is_void(t->name))
        return;
    if (page.depth == DEPTH) {
        wrong("too deep");
        exit(1);
    }
    snprintf(page.open[page.depth].name, NAME, "%s", t->name);
    snprintf(page.open[page.depth++].id, NAME, "%.*s", id ? (int)id->len : 0, id ? id->value : "");
}

/* At `</name>`. */
static void end_tag(void)
{
    char name[NAME];
    page.p += 2;
    name_to(name);
    if (!page.depth || strcmp(page.open[page.depth - 1].name, name))
        wrong("</%s> closes <%s>", name, page.depth ? page.open[page.depth - 1].name : "nothing");
    else
        page.depth--;
    if (*page.p != '>')
        wrong("</%s does not end", name);
    page.p += *page.p != 0;
    if (strcmp(name, "tr") == 0 && page.in_row)
        end_row();
}

static void text_until(const char *end)
{
    size_t len = (size_t)(end - page.p), has = strlen(page.first);
    if (page.in_row && page.cells == 1)
        snprintf(page.first + has, NAME - has, "%.*s", (int)len, page.p);
    page.p = end;
}

static void read_tags(void)
{
    page.p = page.text;
    while (*page.p) {
        if (*page.p != '<') {
            text_until(page.p + strcspn(page.p, "<"));
        } else if (strncmp(page.p, "<!DOCTYPE", 9) == 0) {
            page.p += strcspn(page.p, ">");
            page.p += *page.p != 0;
        } else if (page.p[1] == '/') {
            end_tag();
        } else {
            struct tag t = read_tag();
            start_tag(&t);
            const char *raw = strcmp(t.name, "script") == 0  ? strstr(page.p, "</script")
                              : strcmp(t.name, "style") == 0 ? strstr(page.p, "</style")
                                                             : NULL;
            page.p = raw ? raw : page.p;
        }
    }
    if (page.depth)
        wrong("<%s> is not closed", page.open[page.depth - 1].name);
}

static void check_links(void)
{
    for (size_t i = 0; i < page.ids.n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(page.ids.v[i], page.ids.v[k]) == 0)
                wrong("id %s is there twice", page.ids.v[i]);
    for (size_t i = 0; i < page.links.n; i++) {
        bool here = false;
        for (size_t k = 0; k < page.ids.n; k++)
            here |= page.links.v[i][0] == '#' && strcmp(page.links.v[i] + 1, page.ids.v[k]) == 0;
        if (!here)
            wrong("a link away from the page: %s", page.links.v[i]);
    }
}

/* ---- what is on it ---- */

static void print_tiles(void)
{
    regex_t tile;
    regmatch_t m[3];
    bool any = false;
    if (regcomp(&tile, "<div class=\"tile\"><b>([^<]*)</b><span>([^<]*)</span>", REG_EXTENDED))
        exit(2);
    for (const char *p = page.text; regexec(&tile, p, 3, m, 0) == 0; p += m[0].rm_eo) {
        printf("%s[", any ? ", " : "");
        print_string(p + m[1].rm_so, (size_t)(m[1].rm_eo - m[1].rm_so));
        printf(", ");
        print_string(p + m[2].rm_so, (size_t)(m[2].rm_eo - m[2].rm_so));
        printf("]");
        any = true;
    }
    regfree(&tile);
}

static void print_data(void)
{
    static const char begin[] = "<script type=\"application/json\" id=\"matrix-data\">";
    const char *from = strstr(page.text, begin), *to = from ? strstr(from, "</script>") : NULL;
    from = from ? from + sizeof begin - 1 : NULL;
    if (to)
        printf("%.*s", (int)(to - from), from);
    else
        printf("null");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: page_check PAGE\n");
        return 2;
    }
    read_page(argv[1]);
    check_characters();
    check_addresses();
    printf("{\"tiles\": [");
    print_tiles();
    printf("], \"data\": ");
    print_data();
    printf(", \"rows\": [");
    read_tags();
    printf("\n]}\n");
    check_links();
    return page.bad ? 1 : 0;
}
