/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that no other family needs: names of MPI-1, keyvals and handlers of windows and files.
 *
 * ranks: 2 */
#include <string.h>

#include "conf_kit.h"

/* The upper bound that MPI_UB marked is gone from the header, so bounds come from the members alone. */
static void structure_by_its_old_name(void)
{
    struct {
        char c;
        double d[2];
    } x = {(char)('a' + rank), {rank, rank + 1}}, y = {'?', {-1, -1}};
    int lengths[2] = {1, 2};
    MPI_Aint base, at[2], lb, ub, extent;
    MPI_Datatype parts[2] = {MPI_CHAR, MPI_DOUBLE}, t;
    MPI_Address(&x, &base);
    MPI_Address(&x.c, &at[0]);
    MPI_Address(x.d, &at[1]);
    for (int i = 0; i < 2; i++)
        at[i] -= base;
    MPI_Type_struct(2, lengths, at, parts, &t);
    MPI_Type_commit(&t);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    MPI_Type_extent(t, &extent);
    CHECK(lb == 0 && ub == sizeof x && extent == ub);
    MPI_Sendrecv(&x, 1, t, !rank, 0, &y, 1, t, !rank, 0, WORLD, IGNORE);
    CHECK(y.c == 'a' + !rank && y.d[1] == !rank + 1);
    say("%ld %ld %c", (long)lb, (long)ub, y.c);
    MPI_Type_free(&t);
}

static void indexed_by_its_old_name(void)
{
    int x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0}, lengths[2] = {1, 2}, n;
    MPI_Aint at[2] = {5 * sizeof(int), 0}, lb, ub;
    MPI_Datatype t;
    MPI_Status s;
    MPI_Type_hindexed(2, lengths, at, MPI_INT, &t);
    MPI_Type_commit(&t);
    MPI_Type_lb(t, &lb);
    MPI_Type_ub(t, &ub);
    CHECK(lb == 0 && ub == 6 * sizeof(int));
    MPI_Sendrecv(x, 1, t, !rank, 0, y, 8, MPI_INT, !rank, 0, WORLD, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    CHECK(n == 3 && y[0] == 5 && y[1] == 0 && y[2] == 1);
    say_ints("in the order of the type", y, 4);
    MPI_Type_free(&t);
}

/* The length that is wanted comes back, with its zero; a buffer of length 0 is not written to. */
static void info_string(void)
{
    MPI_Info info;
    char value[10] = "unchanged";
    int len = 0, flag = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "a value");
    MPI_Info_get_string(info, "key", &len, value, &flag);
    CHECK(flag && len == 8 && strcmp(value, "unchanged") == 0);
    len = 4;
    MPI_Info_get_string(info, "key", &len, value, &flag);
    CHECK(flag && len == 8 && strcmp(value, "a v") == 0);
    len = sizeof value;
    MPI_Info_get_string(info, "key", &len, value, &flag);
    CHECK(flag && len == 8 && strcmp(value, "a value") == 0);
    len = sizeof value;
    MPI_Info_get_string(info, "other", &len, value, &flag);
    CHECK(!flag);
    say("%s", value);
    MPI_Info_free(&info);
}

static void infos_of_a_communicator(void)
{
    MPI_Comm c;
    MPI_Info info, used;
    int flag;
    char value[10];
    MPI_Comm_dup(WORLD, &c);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    CHECK(MPI_Comm_set_info(c, info) == MPI_SUCCESS);
    MPI_Info_set(info, "mpi_assert_no_any_tag", "changed since");
    CHECK(MPI_Comm_get_info(c, &used) == MPI_SUCCESS);
    MPI_Info_get(used, "mpi_assert_no_any_tag", sizeof value - 1, value, &flag);
    CHECK(!flag || strcmp(value, "true") == 0);
    MPI_Info_free(&used);
    MPI_Info_free(&info);
    MPI_Barrier(c);
    MPI_Comm_free(&c);
    say("%d", c == MPI_COMM_NULL);
}

static void on_window(MPI_Win *w, int *code, ...)
{
    (void)w, (void)code;
}
static void on_file(MPI_File *f, int *code, ...)
{
    (void)f, (void)code;
}

/* What windows and files would need can be made and freed without any. */
static void handlers_and_keyvals_without_windows(void)
{
    MPI_Errhandler w, f;
    int key = MPI_KEYVAL_INVALID, other = MPI_KEYVAL_INVALID;
    CHECK(MPI_Win_create_errhandler(on_window, &w) == MPI_SUCCESS);
    CHECK(MPI_File_create_errhandler(on_file, &f) == MPI_SUCCESS);
    CHECK(w != MPI_ERRHANDLER_NULL && f != MPI_ERRHANDLER_NULL && w != f);
    MPI_Errhandler_free(&w);
    MPI_Errhandler_free(&f);
    CHECK(w == MPI_ERRHANDLER_NULL && f == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key, NULL) == MPI_SUCCESS);
    CHECK(MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &other, NULL) == MPI_SUCCESS);
    CHECK(key != MPI_KEYVAL_INVALID && other != key);
    MPI_Win_free_keyval(&key);
    MPI_Win_free_keyval(&other);
    CHECK(key == MPI_KEYVAL_INVALID && other == MPI_KEYVAL_INVALID);
    say("done");
}

const struct conf_case conf_cases[] = {
    CASE(structure_by_its_old_name),
    CASE(indexed_by_its_old_name),
    CASE(info_string),
    CASE(infos_of_a_communicator),
    CASE(handlers_and_keyvals_without_windows),
    END_OF_CASES,
};
