/* SPDX-License-Identifier: BSD-3-Clause
 * How every unit test ends: its suite is run as Check's environment variables say, and the exit code tells whether it
 * passed. Include it once, in the file with main(). */
#ifndef CS_TESTS_UNIT_SUITE_H
#define CS_TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Runs a suite and frees it. Returns main's exit code: 0 if no test failed. */
static int suite_main(Suite *s)
{
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_ENV);
    int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
