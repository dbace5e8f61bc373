/* SPDX-License-Identifier: BSD-3-Clause
 * Starting graphviz. */
#ifndef CS_GRAPHVIZ_H
#define CS_GRAPHVIZ_H

#include <stdbool.h>

/* Is `dot` installed? */
bool cs_graphviz_there(void);
/* Has `dot` draw a graph in its language: "svg" or "png" into the file `to`. 0, or -1 after a message. */
int cs_graphviz_draw(const char *graph, const char *format, const char *to);
/* The same graph as SVG to stand in a page: without comments and what comes before <svg. To be freed; NULL after a
 * message. */
char *cs_graphviz_svg(const char *graph);

#endif
