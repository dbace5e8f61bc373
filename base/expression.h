/* SPDX-License-Identifier: BSD-3-Clause
 * Whole-number expressions that a user writes in place of a value: `2 * rank + 1`, `min(size, 8)`,
 * `pick(rank, 10, 12)`. They are read into a tree, which compilers turn into code, and can be evaluated. */
#ifndef CS_EXPRESSION_H
#define CS_EXPRESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/grid_places.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a node is: a number or name without operands, NEG and NOT with `a`, from ADD on `a` and `b`. */
enum cs_expr_op {
    CS_EXPR_NUMBER,
    CS_EXPR_RANK,      /* of the process, in all processes */
    CS_EXPR_SIZE,      /* how many processes there are */
    CS_EXPR_ITERATION, /* how often this rank has come to the place before: 0 the first time */
    CS_EXPR_NEG,       /* - a */
    CS_EXPR_NOT,       /* ! a */
    CS_EXPR_ADD,
    CS_EXPR_SUB,
    CS_EXPR_MUL,
    CS_EXPR_DIV, /* towards 0; by 0 it is 0 */
    CS_EXPR_MOD, /* the sign is that of a; by 0 it is 0 */
    CS_EXPR_MIN,
    CS_EXPR_MAX,
    CS_EXPR_EQ,
    CS_EXPR_NE,
    CS_EXPR_LT,
    CS_EXPR_LE,
    CS_EXPR_GT,
    CS_EXPR_GE,
    CS_EXPR_PICK, /* value number a, from 0, of list b, over and over: of 3 values, 4 picks the second; never below 0 */
    CS_EXPR_LIST, /* value a, then list b, -1: no more */
    CS_EXPR_DIMS, /* what MPI_Dims_create makes of a processes: `number` says in how many dimensions, and which one */
    CS_EXPR_NEAR, /* rank number a of those around this one in a grid of ranks, which `number` says */
    CS_EXPR_TOWARD /* the sum of 1, 2 and 4 for the sides along which that one is at another place */
};

/* Operands are places of nodes that come earlier. They are -1 where there is none. */
struct cs_expr_node {
    enum cs_expr_op op;
    short a, b;
    int64_t number;
};
/* Nodes of an expression, at most. */
enum { CS_EXPR_NODES = 4096 };
/* Nodes in the order in which they can be evaluated: the last one is the whole expression. */
struct cs_expr {
    int n;
    struct cs_expr_node node[CS_EXPR_NODES];
};

/* What an expression is evaluated with. */
struct cs_expr_values {
    int64_t rank, size, iteration;
};

/* Of a node DIMS: how many dimensions, and which of them, from 0. */
int cs_expr_ndims(const struct cs_expr_node *n);
int cs_expr_which_dim(const struct cs_expr_node *n);
/* Of a node NEAR or TOWARD: the grid. */
struct cs_rank_grid cs_expr_grid(const struct cs_expr_node *n);
/* Reads all of the text. 0, or -1 with what is wrong in err: "')' is missing at 'x'". */
int cs_expr_parse(const char *text, struct cs_expr *e, char *err, size_t errlen);
/* Numbers wrap around at 64 bits. */
int64_t cs_expr_value(const struct cs_expr *e, const struct cs_expr_values *v);
/* How many values the list has that begins at this node. */
int cs_expr_list_length(const struct cs_expr *e, int list);

#ifdef __cplusplus
}
#endif
#endif
