/* SPDX-License-Identifier: GPL-3.0-or-later
 * A table of answers in which each question has one place; known_answers.h. */
#include "slicer/advise/known_answers.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "slicer/graph/storage.h"

void cs_known_answers_start(struct cs_known_answers *k, unsigned room)
{
    assert(room && (room & (room - 1)) == 0);
    k->room = room;
    k->answers = cs_calloc(room, sizeof *k->answers);
}

void cs_known_answers_free(struct cs_known_answers *k)
{
    free(k->answers);
    *k = (struct cs_known_answers){0};
}

struct cs_known_answer *cs_known_answer(const struct cs_known_answers *k, struct cs_known_question q)
{
    uint32_t h = 0;
    for (int i = 0; i < CS_QUESTION_NUMBERS; i++)
        h = cs_hash(h, q.about[i]);
    struct cs_known_answer *a = &k->answers[h & (k->room - 1)];
    if (a->known && memcmp(&a->of, &q, sizeof q))
        a->known = false;
    a->of = q;
    return a;
}
