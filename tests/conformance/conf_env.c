/* SPDX-License-Identifier: BSD-3-Clause
 * Everything around communication: versions, clock, infos, memory, handles between C and Fortran, generalized requests.
 *
 * ranks: 2 */
#include <string.h>
#include <unistd.h>

#include "conf_kit.h"

static void initialized(void)
{
    int a = 0, b = 1, level, main_thread = 0;
    MPI_Initialized(&a);
    MPI_Finalized(&b);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&main_thread);
    CHECK(a && !b && main_thread && level >= MPI_THREAD_SINGLE && level <= MPI_THREAD_MULTIPLE);
    say("%d %d", a, b);
}

static void version(void)
{
    int major, minor, n;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Get_version(&major, &minor);
    MPI_Get_library_version(text, &n);
    CHECK((major > 3 || (major == 3 && minor >= 1)) && n > 0 && n == (int)strlen(text));
    CHECK(major == MPI_VERSION && minor == MPI_SUBVERSION);
    say("%d.%d", major, minor);
}

static void clock_goes_on(void)
{
    double a = MPI_Wtime(), b, tick = MPI_Wtick();
    for (int i = 0; i < 1000; i++) {
        b = MPI_Wtime();
        CHECK(b >= a);
        a = b;
    }
    CHECK(tick > 0 && tick < 1);
    b = MPI_Wtime();
    usleep(20000);
    a = MPI_Wtime() - b;
    CHECK(a > 0.015 && a < 5);
    say("done");
}

static void processor_name(void)
{
    char name[MPI_MAX_PROCESSOR_NAME], host[256];
    int n;
    MPI_Get_processor_name(name, &n);
    gethostname(host, sizeof host);
    CHECK(n == (int)strlen(name) && strncmp(name, host, strlen(host)) == 0);
    say("done");
}

static void memory(void)
{
    int *x;
    MPI_Alloc_mem(1000 * sizeof *x, MPI_INFO_NULL, &x);
    x[0] = rank;
    x[999] = 5;
    MPI_Sendrecv_replace(x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, WORLD, IGNORE);
    CHECK(x[0] == 1 - rank && x[999] == 5);
    say("%d", x[0]);
    MPI_Free_mem(x);
}

static void pcontrol(void)
{
    CHECK(MPI_Pcontrol(0) == MPI_SUCCESS && MPI_Pcontrol(1) == MPI_SUCCESS);
    say("done");
}

static void info(void)
{
    MPI_Info a, b;
    char value[64], key[MPI_MAX_INFO_KEY + 1];
    int n, flag, length;
    MPI_Info_create(&a);
    MPI_Info_set(a, "first", "one");
    MPI_Info_set(a, "second", "two and more");
    MPI_Info_set(a, "first", "1");
    MPI_Info_get_nkeys(a, &n);
    CHECK(n == 2);
    MPI_Info_get(a, "first", 63, value, &flag);
    CHECK(flag && strcmp(value, "1") == 0);
    MPI_Info_get(a, "third", 63, value, &flag);
    CHECK(!flag);
    MPI_Info_get_valuelen(a, "second", &length, &flag);
    CHECK(flag && length == 12);
    MPI_Info_get_nthkey(a, 1, key);
    CHECK(strcmp(key, "second") == 0);
    MPI_Info_dup(a, &b);
    MPI_Info_delete(a, "second");
    MPI_Info_get_nkeys(a, &n);
    MPI_Info_get(b, "second", 63, value, &flag);
    CHECK(n == 1 && flag && strcmp(value, "two and more") == 0);
    MPI_Info_free(&a);
    MPI_Info_free(&b);
    CHECK(a == MPI_INFO_NULL);
    MPI_Info_create_env(0, NULL, &a);
    MPI_Info_set(a, "one", "more");
    MPI_Info_get(a, "one", 63, value, &flag);
    CHECK(flag && strcmp(value, "more") == 0);
    MPI_Info_free(&a);
    say("%s", key);
}

static void info_wrong_keys(void)
{
    MPI_Info a;
    int code;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Info_create(&a);
    code = MPI_Info_delete(a, "nothing");
    CHECK(class_of(code) == MPI_ERR_INFO_NOKEY);
    say("%d", class_of(code));
    MPI_Info_free(&a);
}

static void info_of_the_environment(void)
{
    int n;
    MPI_Info_get_nkeys(MPI_INFO_ENV, &n);
    CHECK(n >= 0);
    say("done");
}

static void handles_between_languages(void)
{
    MPI_Comm c;
    MPI_Datatype t;
    MPI_Group g;
    MPI_Op op;
    MPI_Request q;
    MPI_Info i;
    MPI_Errhandler h;
    int x = rank, y = -1;
    MPI_Comm_dup(WORLD, &c);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Comm_group(c, &g);
    MPI_Info_create(&i);
    MPI_Comm_get_errhandler(WORLD, &h);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(c)) == c && MPI_Comm_f2c(MPI_Comm_c2f(WORLD)) == WORLD);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_NULL)) == MPI_COMM_NULL);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(t)) == t && MPI_Type_f2c(MPI_Type_c2f(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(g)) == g && MPI_Info_f2c(MPI_Info_c2f(i)) == i);
    op = MPI_Op_f2c(MPI_Op_c2f(MPI_SUM));
    CHECK(op == MPI_SUM && MPI_Errhandler_f2c(MPI_Errhandler_c2f(h)) == h);
    MPI_Irecv(&y, 1, MPI_INT, 1 - rank, 0, c, &q);
    q = MPI_Request_f2c(MPI_Request_c2f(q));
    MPI_Send(&x, 1, MPI_INT, 1 - rank, 0, c);
    MPI_Wait(&q, IGNORE);
    CHECK(y == 1 - rank && MPI_Request_f2c(MPI_Request_c2f(q)) == MPI_REQUEST_NULL);
    MPI_Info_free(&i);
    MPI_Group_free(&g);
    MPI_Type_free(&t);
    MPI_Comm_free(&c);
    say("%d", y);
}

/* ---- generalized requests ---- */

static int queried, freed;
static int query(void *state, MPI_Status *st)
{
    queried++;
    MPI_Status_set_elements(st, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(st, 0);
    st->MPI_SOURCE = 9;
    st->MPI_TAG = 8;
    return MPI_SUCCESS;
}
static int release(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}
static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static void generalized_request(void)
{
    MPI_Request q;
    MPI_Status st;
    int state = 6, n = -1, flag = 1;
    queried = freed = 0;
    MPI_Grequest_start(query, release, cancel, &state, &q);
    MPI_Test(&q, &flag, &st);
    CHECK(!flag);
    MPI_Grequest_complete(q);
    MPI_Wait(&q, &st);
    MPI_Get_count(&st, MPI_INT, &n);
    CHECK(n == 6 && st.MPI_SOURCE == 9 && st.MPI_TAG == 8 && queried == 1 && freed == 1 && q == MPI_REQUEST_NULL);
    say("%d %d %d", n, queried, freed);
}

static void generalized_request_freed_early(void)
{
    MPI_Request q, kept;
    int state = 6;
    queried = freed = 0;
    MPI_Grequest_start(query, release, cancel, &state, &q);
    kept = q;
    MPI_Request_free(&q);
    CHECK(q == MPI_REQUEST_NULL); /* MPICH calls release already here */
    MPI_Grequest_complete(kept);
    CHECK(queried == 0 && freed == 1);
    say("%d %d", queried, freed);
}

const struct conf_case conf_cases[] = {
    CASE(initialized),
    CASE(version),
    CASE(clock_goes_on),
    CASE(processor_name),
    CASE(memory),
    CASE(pcontrol),
    CASE(info),
    CASE(info_wrong_keys),
    CASE(info_of_the_environment),
    CASE(handles_between_languages),
    CASE(generalized_request),
    CASE(generalized_request_freed_early),
    END_OF_CASES,
};
