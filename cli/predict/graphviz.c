/* SPDX-License-Identifier: BSD-3-Clause
 * Starting graphviz: graphviz.h. The graph goes through a file in a temporary folder, without a shell. */
#define _GNU_SOURCE 1
#include "cli/predict/graphviz.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/frame/cli.h"
#include "cli/launch/run_logged.h"
#include "cli/launch/tools.h"

/* Room for a path in the temporary folder. */
enum { ROOM = PATH_MAX + 16 };

bool cs_graphviz_there(void)
{
    return system("command -v dot >/dev/null 2>&1") == 0;
}

static int write_graph(const char *file, const char *graph)
{
    FILE *f = fopen(file, "w");
    if (!f || (fputs(graph, f) == EOF) | fclose(f))
        return cs_error("%s: cannot write: %s", file, strerror(errno)), -1;
    return 0;
}

int cs_graphviz_draw(const char *graph, const char *format, const char *to)
{
    char dir[PATH_MAX], file[ROOM], type[16];
    if (cs_make_temporary_folder("graph", dir))
        return -1;
    snprintf(file, sizeof file, "%s/graph", dir);
    snprintf(type, sizeof type, "-T%s", format);
    char *words[] = {"dot", type, file, NULL};
    int rc = write_graph(file, graph) || cs_run_logged(to, words, "graphviz:") ? -1 : 0;
    unlink(file);
    cs_remove_temporary_folder(dir);
    return rc;
}

/* The whole file as text; NULL after a message. */
static char *read_all(const char *file)
{
    FILE *f = fopen(file, "r");
    char *text = NULL;
    size_t room = 0;
    if (!f || getdelim(&text, &room, '\0', f) < 0) {
        cs_error("%s: %s", file, f ? "is empty" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (f)
        fclose(f);
    return text;
}

/* Takes comments out of a text. */
static void strip_comments(char *text)
{
    char *to = text, *end;
    while (*text) {
        if (!strncmp(text, "<!--", 4) && (end = strstr(text, "-->")))
            text = end + 3;
        else
            *to++ = *text++;
    }
    *to = 0;
}

char *cs_graphviz_svg(const char *graph)
{
    char dir[PATH_MAX], file[ROOM];
    if (cs_make_temporary_folder("svg", dir))
        return NULL;
    snprintf(file, sizeof file, "%s/svg", dir);
    char *text = cs_graphviz_draw(graph, "svg", file) ? NULL : read_all(file),
         *svg = text ? strstr(text, "<svg") : NULL;
    if (svg) {
        memmove(text, svg, strlen(svg) + 1);
        strip_comments(text);
    } else if (text)
        cs_error("graphviz: has drawn no SVG");
    unlink(file);
    cs_remove_temporary_folder(dir);
    if (!svg)
        free(text);
    return svg ? text : NULL;
}
