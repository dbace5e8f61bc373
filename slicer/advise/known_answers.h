/* SPDX-License-Identifier: GPL-3.0-or-later
 * Answers to questions about a few numbers that are asked again and again, of which as many are kept as there is room
 * for: a new one takes the place of another with the same hash. */
#ifndef CS_KNOWN_ANSWERS_H
#define CS_KNOWN_ANSWERS_H

#include <stdbool.h>

/* Numbers that a question is about. */
enum { CS_QUESTION_NUMBERS = 4 };

/* about: the numbers, in an order that is the caller's. */
struct cs_known_question {
    int about[CS_QUESTION_NUMBERS];
};
/* answers: `room` of them, a power of two, by the hash of what they are about; known: there is one. */
struct cs_known_answers {
    unsigned room;
    struct cs_known_answer {
        struct cs_known_question of;
        bool known, yes;
    } * answers;
};

/* Free it in any case. room: how many are kept, a power of two. */
void cs_known_answers_start(struct cs_known_answers *k, unsigned room);
void cs_known_answers_free(struct cs_known_answers *k);
/* The place of the question: its answer, if `known` is set; else the caller answers it, and sets both. */
struct cs_known_answer *cs_known_answer(const struct cs_known_answers *k, struct cs_known_question q);

#endif
