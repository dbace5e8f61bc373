/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops whose turns are recorded at once, in GIMPLE: what is known of one, and the calls of the recorder in it. */
#ifndef CS_TURN_CALLS_H
#define CS_TURN_CALLS_H

#include "gcc-plugin/gcc/gcc-common.h"
#include "slicer/alike/alike.h"

namespace cs_turns {

/* A value that goes on by a constant in each turn: its PHI, what that becomes on the edge back, and by how much; `by`,
 * the statement that takes the value to add to it. */
struct Counter {
    gphi *phi;
    tree now, next;
    wide_int step;
    gimple *by;
};

/* One loop. `back` and `entry` are its edges to the header. */
struct Loop {
    cs_alike_loop *known;
    auto_vec<bool> in; /* by index of GIMPLE's blocks */
    basic_block header;
    edge entry, back;
    gcond *test;
    gimple *compared; /* what computes the test's truth value, or the test itself */
    bool stays_if_true;
    auto_vec<Counter> counters;
};

/* Is the block in the loop? */
bool is_in(const Loop *l, basic_block bb);
/* Is the statement left over: what it computes is not used any more? */
bool is_dead(gimple *g);
/* Of the current function no statement is ours yet. */
void begin_function();
/* Did a Sequence add the statement? What it uses decides nothing that the program does. */
bool is_ours(gimple *g);
/* Has what this PHI of the header gives the same value in each turn? */
bool stays(const Loop *l, gphi *phi);
/* Does it go on by a constant? Then that is the counter. */
bool goes_on(const Loop *l, gphi *phi, Counter *c);
/* The same, or the sum is made in another type, and nothing else is done with it there. */
bool goes_on_somehow(const Loop *l, gphi *phi, Counter *c);

/* Statements of our own, in the order in which they are to run. */
struct Sequence {
    gimple_seq seq = NULL;

    void add(gimple *g);
    tree convert(tree type, tree v);
    /* The same bits, as an unsigned number of 64 bits; of a number, an address or a real of as many or fewer. */
    tree bits(tree v);
    tree compute(enum tree_code code, tree type, tree a, tree b);
    /* Calls the function that the variable holds. */
    tree call(tree variable, const tree args[5]);
};

tree number(HOST_WIDE_INT n);
/* What the counter is after m more turns. */
tree gone_on(Sequence *s, const Counter *c, tree m);
/* A new block with these statements. */
basic_block block_on(edge e, Sequence *s);

} // namespace cs_turns

#endif
