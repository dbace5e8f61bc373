/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which comparisons a source's text says are turned: slicer/control/condition_text.h. */
#include <stdio.h>
#include <string.h>

#include "slicer/control/condition_text.h"
#include "tests/unit/suite.h"

/* A text, and what its line 1 says of as many branches as `turns` has letters: '.' as it stands, '-' turned, '?' not
 * known. */
static const struct {
    const char *text, *turns;
    enum cs_text_form form;
} cases[] = {
    {"if (a < b && c) x();", "..", CS_TEXT_C},
    {"if (!a || !(b < 3)) x();", "..", CS_TEXT_C},
    {"if (!(a || b)) x();", "--", CS_TEXT_C},
    {"while (!(res < 1e-6 || it >= 5)) {", "--", CS_TEXT_C},
    {"if (!(!a && b) || c) x();", "--.", CS_TEXT_C},
    {"if (!(!(a && b) || c)) x();", "..-", CS_TEXT_C},
    {"if (!!(a || b)) x();", "..", CS_TEXT_C},
    {"if (!((a || b))) x();", "--", CS_TEXT_C},
    {"if (c && !(a || b)) x(); else if (d) y();", ".--.", CS_TEXT_C},
    {"} else if (not (a or b)) {", "--", CS_TEXT_C},
    {"for (int i = 0; !(i > 5 || a); i++) {", "--", CS_TEXT_C},
    {"if (int i = f(); !(i > 5 || a)) {", "--", CS_TEXT_C},
    {"x = !(a || b);", "--", CS_TEXT_C},
    {"x = !(a || b) ? c : d;", "??", CS_TEXT_C},
    {"if (f(!(a || b)) && c) x();", "--..", CS_TEXT_C},
    {"if (!f(a || b)) x();", "...", CS_TEXT_C},
    {"if (!(a || b)) /* && ! */ s = \"!(a || b)\"; // if", "--", CS_TEXT_C},
    {"if (c == '\\'' && !(a || b)) x();", ".--", CS_TEXT_C},
    {"#define X !(a || b)\nif (a || b) x();", "..", CS_TEXT_C},
    {"if (!(a ||\n    b)) x();", "--", CS_TEXT_C},
    {"if (!(a || b)) x();", "???", CS_TEXT_C},
    {"if (!(a || b)) x();", "?", CS_TEXT_C},
    {"if ((a || b) == 0) x();", "??", CS_TEXT_C},
    {"if (!(bool)(a || b)) x();", "??", CS_TEXT_C},
    {"if (x == !(a || b)) y();", "???", CS_TEXT_C},
    {"if (!bool(a || b)) x();", "??", CS_TEXT_C},
    {"if (!(a ? b : c)) x();", "???", CS_TEXT_C},
    {"x = (a || b) ? 0 : 1;", "..", CS_TEXT_C},
    {"x = (a || b) ? zero : f(c);", "??", CS_TEXT_C},
    {"if (!(JOINS(a) || b)) x();", "???", CS_TEXT_C},
    {"if (!JOINS(a)) x();", "??", CS_TEXT_C},
    {"if (NEITHER(a, b)) x();", "??", CS_TEXT_C},
    {"if (NEGATES(a || b)) x();", "??", CS_TEXT_C},
    {"if (NEGATES(a) && JOINS(a)) x();", "...", CS_TEXT_C},
    {"if (.not. (a < 3 .or. b)) then", "--", CS_TEXT_FREE_FORTRAN},
    {"if (.NOT. a .and. .not. b) x = 1", "..", CS_TEXT_FREE_FORTRAN},
    {"do while (.not. (res < 1d-6 .or. it >= 5)) ! .or.", "--", CS_TEXT_FREE_FORTRAN},
    {"else if (.not.(a.or.b).and.c==1.and.d) then", "--..", CS_TEXT_FREE_FORTRAN},
    {"if (.not. & ! why\n\n  & (a .or. b)) x = 'don''t .or.'", "--", CS_TEXT_FREE_FORTRAN},
    {"if (.not. (a + b) > c .or. d) x = 1", "..", CS_TEXT_FREE_FORTRAN},
    {"if (.not. (a .or. b) .eqv. c) x = 1", "???", CS_TEXT_FREE_FORTRAN},
    {"if (.not. (a .eqv. b)) x = 1", ".", CS_TEXT_FREE_FORTRAN},
    {"l = .not. (a .or. b); if (c .or. d) x = 1", "--..", CS_TEXT_FREE_FORTRAN},
    {"      IF (.NOT.(A.GT.3.OR.\nC     NO\n     &B.LT.1.E0)) GOTO 5", "--", CS_TEXT_FIXED_FORTRAN},
    {"      IF (A.GT.3.OR.\n     &B.LT.1) GOTO 5", "..", CS_TEXT_FIXED_FORTRAN},
};

/* Macros whose names say what they have. */
static int macro(const char *name, size_t n)
{
    if (n == 7 && !memcmp(name, "NEITHER", n))
        return CS_MACRO_JOINS | CS_MACRO_NEGATES;
    return n == 5 && !memcmp(name, "JOINS", n)     ? CS_MACRO_JOINS
           : n == 7 && !memcmp(name, "NEGATES", n) ? CS_MACRO_NEGATES
                                                   : 0;
}

START_TEST(tells_turned)
{
    enum cs_turn turns[8];
    const char *text = cases[_i].text;
    int n = (int)strlen(cases[_i].turns);
    struct cs_conditions *c = cs_conditions_read(text, strlen(text), cases[_i].form, macro);
    char got[9] = "";
    cs_conditions_turns(c, *text == '#' ? 2 : 1, n, turns);
    for (int i = 0; i < n; i++)
        got[i] = ".-?"[turns[i]];
    ck_assert_msg(!strcmp(got, cases[_i].turns), "%s: %s, not %s", text, got, cases[_i].turns);
    ck_assert_int_eq(cs_conditions_do_while(c, 1), !strncmp(text, "do while", 8));
    cs_conditions_free(c);
}
END_TEST

START_TEST(tells_choices)
{
    static const struct {
        const char *text, *first;
        bool two;
        int n;
    } choices[] = {{"x = a > 5 ? 4 : y;", "4", false, 1},       {"x = a > 5 ? 4 : y;", NULL, false, 2},
                   {"x = a || b ? 0 : 1;", "0", true, 2},       {"x = a ? y : 4;", NULL, false, 1},
                   {"if (a) x = 4;", NULL, false, 1},           {"if (a) x = b ? 4 : y;", NULL, false, 2},
                   {"case 4: x = 4;", NULL, false, 0},          {"f(a ? 17 : g(b), c);", "17", false, 1},
                   {"f(a ? 1 : b, c ? 2 : d);", NULL, false, 2}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct cs_choice choice;
        struct cs_conditions *c = cs_conditions_read(choices[i].text, strlen(choices[i].text), CS_TEXT_C, NULL);
        bool is = cs_conditions_choice(c, 1, choices[i].n, &choice);
        ck_assert_msg(is == !!choices[i].first, "%s", choices[i].text);
        if (is)
            ck_assert_msg(choice.n == strlen(choices[i].first) && !memcmp(choice.first, choices[i].first, choice.n) &&
                              choice.two_numbers == choices[i].two,
                          "%s", choices[i].text);
        cs_conditions_free(c);
    }
}
END_TEST

/* Any text can be read: cut anywhere, and as any language. */
START_TEST(reads_anything)
{
    enum cs_turn turns[4];
    const char *text = cases[_i].text;
    for (size_t n = 0; n <= strlen(text); n++)
        for (int form = CS_TEXT_C; form <= CS_TEXT_FIXED_FORTRAN; form++) {
            char *copy = malloc(n + 1);
            memcpy(copy, text, n); /* a text of its own, without an end: what reads behind it is found */
            struct cs_conditions *c = cs_conditions_read(copy, n, (enum cs_text_form)form, macro);
            cs_conditions_turns(c, 1, 4, turns);
            cs_conditions_free(c);
            free(copy);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("conditions");
    TCase *t = tcase_create("text");
    tcase_add_loop_test(t, tells_turned, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(t, tells_choices);
    tcase_add_loop_test(t, reads_anything, 0, (int)(sizeof cases / sizeof *cases));
    suite_add_tcase(s, t);
    return suite_main(s);
}
