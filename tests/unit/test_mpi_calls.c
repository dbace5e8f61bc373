/* SPDX-License-Identifier: BSD-3-Clause
 * Unit tests of the table of MPI calls: its rows are consistent, and calls are found by name and by symbol.
 * That rows agree with mpi.h is checked by prototypes_test.sh. */
#include <string.h>
#include <strings.h>

#include "api/mpi_calls.h"
#include "tests/unit/suite.h"

static bool is_array(enum cs_role r)
{
    return r == CS_ROLE_COUNTS || r == CS_ROLE_DISPLS || r == CS_ROLE_TYPES || r == CS_ROLE_REQS ||
           r == CS_ROLE_STATUSES || r == CS_ROLE_INDICES || r == CS_ROLE_VALS || r == CS_ROLE_IN_ARR ||
           r == CS_ROLE_OUT_ARR || r == CS_ROLE_INOUT_ARR;
}

static bool is_buffer(enum cs_role r)
{
    return r == CS_ROLE_SBUF || r == CS_ROLE_RBUF || r == CS_ROLE_SRBUF;
}

static bool ends_in_star(const char *s)
{
    return s[strlen(s) - 1] == '*';
}

/* A link leads to an argument of a fitting role. */
static void check_links(const struct cs_mpi_call *c, int i)
{
    const struct cs_mpi_arg *a = &c->args[i];
    ck_assert_msg(a->count_arg < c->nargs && a->type_arg < c->nargs, "%s %s", c->name, a->name);
    if (a->count_arg >= 0) {
        const struct cs_mpi_arg *n = &c->args[a->count_arg];
        bool scalar = n->role == CS_ROLE_COUNT || n->role == CS_ROLE_VAL || n->role == CS_ROLE_IN;
        bool fits = is_buffer(a->role) ? scalar || n->role == CS_ROLE_COUNTS : is_array(a->role) && scalar;
        ck_assert_msg(fits, "%s: length of %s is %s", c->name, a->name, n->name);
    }
    const struct cs_mpi_arg *before = i ? &c->args[i - 1] : NULL;
    ck_assert_msg(a->count_arg >= CS_MPI_SUM && (a->count_arg >= CS_MPI_PEERS || is_array(a->role)), "%s %s", c->name,
                  a->name);
    if (a->count_arg == CS_MPI_LAST || a->count_arg == CS_MPI_SUM)
        ck_assert_msg(before && is_array(before->role) && before->count_arg >= 0, "%s: before %s", c->name, a->name);
    if (a->count_arg == CS_MPI_OUTDEGREE || a->count_arg == CS_MPI_INDEGREE)
        ck_assert_msg(c->flags & CS_MPI_NEIGHBOR, "%s %s", c->name, a->name);
    /* The recorder asks for the length of each array that it records. */
    if (is_array(a->role) && cs_role_is_recorded(a->role) && a->count_arg == CS_MPI_PEERS)
        ck_assert_msg(c->kind == CS_MPI_COLL && !(c->flags & (CS_MPI_NEIGHBOR | CS_MPI_REDUCES)), "%s %s", c->name,
                      a->name);
    if (a->type_arg >= 0) {
        enum cs_role t = c->args[a->type_arg].role;
        ck_assert_msg(is_buffer(a->role) && (t == CS_ROLE_TYPE || t == CS_ROLE_TYPES), "%s: type of %s", c->name,
                      a->name);
    }
}

START_TEST(rows_are_consistent)
{
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        ck_assert_int_eq(cs_mpi_index(c), i);
        ck_assert_ptr_eq(cs_mpi_find(c->name), c); /* no name twice */
        ck_assert_int_le(c->nargs, CS_MPI_MAX_ARGS);
        for (int k = 0; k < c->nargs; k++) {
            check_links(c, k);
            ck_assert_msg(c->args[k].role != CS_ROLE_NONE, "%s %s", c->name, c->args[k].name);
            if (is_buffer(c->args[k].role))
                ck_assert_msg(ends_in_star(c->args[k].ctype), "%s %s", c->name, c->args[k].name);
        }
    }
}
END_TEST

static int count_role(const struct cs_mpi_call *c, enum cs_role r)
{
    int n = 0;
    for (int i = 0; i < c->nargs; i++)
        n += c->args[i].role == r;
    return n;
}

/* What the kinds promise to those who look at kinds only. */
START_TEST(kinds_have_their_arguments)
{
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        int dest = count_role(c, CS_ROLE_DEST), source = count_role(c, CS_ROLE_SOURCE),
            msg = count_role(c, CS_ROLE_MSG);
        int comm = count_role(c, CS_ROLE_COMM), req = count_role(c, CS_ROLE_REQ_OUT);
        bool ok = true;
        switch (c->kind) {
        case CS_MPI_SEND: ok = dest == 1 && !source && comm == 1 && !req; break;
        case CS_MPI_ISEND:
        case CS_MPI_SEND_INIT: ok = dest == 1 && !source && req == 1; break;
        case CS_MPI_RECV: ok = source + msg == 1 && !dest && !req; break;
        case CS_MPI_IRECV:
        case CS_MPI_RECV_INIT: ok = source + msg == 1 && !dest && req == 1; break;
        case CS_MPI_SENDRECV: ok = dest == 1 && source == 1 && count_role(c, CS_ROLE_TAG) == 2; break;
        case CS_MPI_COLL:
        case CS_MPI_BARRIER: ok = comm == 1 && req == !!(c->flags & CS_MPI_NONBLOCKING); break;
        case CS_MPI_RMA:
            ok = comm + count_role(c, CS_ROLE_COMM_UPD) == 1 && req == !!(c->flags & CS_MPI_NONBLOCKING);
            break;
        case CS_MPI_IO: ok = req == !!(c->flags & CS_MPI_NONBLOCKING); break;
        case CS_MPI_COMM_CTOR: ok = count_role(c, CS_ROLE_NEWCOMM) + count_role(c, CS_ROLE_COMM_UPD) == 1; break;
        default: break;
        }
        ck_assert_msg(ok, "%s", c->name);
        ck_assert_msg(!!(c->flags & CS_MPI_ROOTED) == (c->kind == CS_MPI_COLL && count_role(c, CS_ROLE_ROOT) == 1),
                      "%s", c->name);
        ck_assert_msg(!!(c->flags & CS_MPI_REDUCES) == (c->kind == CS_MPI_COLL && count_role(c, CS_ROLE_OP) == 1), "%s",
                      c->name);
        ck_assert_msg(!(c->flags & CS_MPI_EVENT) || !(c->flags & CS_MPI_FOLLOWED), "%s", c->name);
        if (c->kind == CS_MPI_LOCAL || c->kind == CS_MPI_UNSUPPORTED)
            ck_assert_msg(!(c->flags & CS_MPI_EVENT), "%s", c->name);
    }
}
END_TEST

/* Names in MPI are systematic, so each flag is checked against them once, here. */
static const struct {
    enum cs_mpi_flag flag;
    const char *word[3]; /* calls with the flag have one of these in their names, and no others have */
} named[] = {
    {CS_MPI_SYNCHRONOUS, {"_Ssend", "_Issend"}},
    {CS_MPI_BUFFERED, {"_Bsend", "_Ibsend"}},
    {CS_MPI_NEIGHBOR, {"_Neighbor_all", "_Ineighbor_"}},
    {CS_MPI_SCATTERS, {"_Reduce_scatter", "_Ireduce_scatter"}},
    {CS_MPI_BY_GROUP, {"_Comm_create_group", "_Comm_create_group"}},
    {CS_MPI_BETWEEN_GROUPS, {"_Intercomm_create", "_Comm_get_parent"}},
    {CS_MPI_TAKES_ADDRESS, {"_Get_address", "MPI_Address"}},
    {CS_MPI_SETS_HANDLER, {"_Comm_set_errhandler", "_Errhandler_set", "_Win_set_errhandler"}},
    {CS_MPI_CALLS_HANDLER, {"_Comm_call_errhandler", "_Win_call_errhandler"}},
    {CS_MPI_NAMES, {"_set_name", "_get_name"}},
    {CS_MPI_HINTS, {"_Comm_set_info", "_Comm_get_info"}},
    {CS_MPI_ERROR_CODES, {"MPI_Error_", "MPI_Add_error_"}},
    {CS_MPI_SEND_BUFFER, {"_Buffer_attach", "_Buffer_detach"}},
    {CS_MPI_VARIADIC, {"_Pcontrol", "_Pcontrol"}},
    {CS_MPI_INTERCOMM, {"_Intercomm_create", "_Intercomm_merge"}},
    {CS_MPI_PERSISTENT, {"_init", "_init"}},
};

START_TEST(flags_agree_with_names)
{
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        bool has = strstr(c->name, named[_i].word[0]) || strstr(c->name, named[_i].word[1]) ||
                   (named[_i].word[2] && strstr(c->name, named[_i].word[2]));
        ck_assert_msg(has == !!(c->flags & named[_i].flag), "%s", c->name);
    }
}
END_TEST

/* What the flags promise to those who look at flags only. */
START_TEST(flags_agree_with_kinds_and_roles)
{
    const unsigned states = CS_MPI_NAMES | CS_MPI_HINTS | CS_MPI_ERROR_CODES | CS_MPI_SEND_BUFFER;
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        unsigned f = c->flags;
        bool prepares = c->kind == CS_MPI_SEND_INIT || c->kind == CS_MPI_RECV_INIT;
        bool collective = (c->kind == CS_MPI_COLL || c->kind == CS_MPI_BARRIER) && (f & CS_MPI_NONBLOCKING);
        ck_assert_msg(!(f & CS_MPI_PERSISTENT) || prepares || collective, "%s", c->name);
        bool sends = c->kind == CS_MPI_SEND || c->kind == CS_MPI_ISEND || c->kind == CS_MPI_SEND_INIT;
        ck_assert_msg(!(f & (CS_MPI_SYNCHRONOUS | CS_MPI_BUFFERED)) || sends, "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_SCATTERS) || (f & CS_MPI_REDUCES), "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_NEIGHBOR) || c->kind == CS_MPI_COLL, "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_BETWEEN_GROUPS) || cs_mpi_has_role(c, CS_ROLE_NEWCOMM), "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_UNIFORM) || (c->kind == CS_MPI_LOCAL && !(f & CS_MPI_TIMING)), "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_TAKES_ADDRESS) || cs_mpi_has_role(c, CS_ROLE_OUT), "%s", c->name);
        ck_assert_msg(!(f & CS_MPI_SETS_HANDLER) || cs_mpi_has_role(c, CS_ROLE_ERRH), "%s", c->name);
        ck_assert_msg(!(f & states) == !(f & (CS_MPI_SETS | CS_MPI_GETS)), "%s: a state, and what is done with it",
                      c->name);
    }
}
END_TEST

/* In the standard's text these say "the number of elements sent to each process". */
START_TEST(send_counts_per_peer)
{
    static const char *const names[] = {"MPI_Alltoall",
                                        "MPI_Ialltoall",
                                        "MPI_Scatter",
                                        "MPI_Iscatter",
                                        "MPI_Reduce_scatter_block",
                                        "MPI_Ireduce_scatter_block",
                                        "MPI_Alltoall_init",
                                        "MPI_Scatter_init",
                                        "MPI_Reduce_scatter_block_init"};
    size_t n = sizeof names / sizeof *names, found = 0, large = 0;
    for (int i = 0; i < cs_mpi_ncalls(); i++)
        if (cs_mpi_call(i)->flags & CS_MPI_PER_PEER)
            *(cs_mpi_is_large(cs_mpi_call(i)) ? &large : &found) += 1;
    ck_assert_uint_eq(found, n);
    ck_assert_uint_eq(large, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(cs_mpi_find(names[i])->flags & CS_MPI_PER_PEER, "%s", names[i]);
}
END_TEST

static const struct {
    const char *symbol, *call; /* call NULL: none */
    enum cs_binding binding;
} symbols[] = {
    {"MPI_Send", "MPI_Send", CS_BIND_C},
    {"PMPI_Send", "MPI_Send", CS_BIND_C},
    {"mpi_send_", "MPI_Send", CS_BIND_F77},
    {"pmpi_send_", "MPI_Send", CS_BIND_F77},
    {"mpi_send__", "MPI_Send", CS_BIND_F77},
    {"mpi_send", "MPI_Send", CS_BIND_F77},
    {"MPI_SEND", "MPI_Send", CS_BIND_F77},
    {"PMPI_SEND", "MPI_Send", CS_BIND_F77},
    {"mpi_send_f08ts_", "MPI_Send", CS_BIND_F08},
    {"pmpi_send_f08ts_", "MPI_Send", CS_BIND_F08},
    {"pmpir_send_f08ts_", "MPI_Send", CS_BIND_F08},
    {"mpi_comm_rank_f08_", "MPI_Comm_rank", CS_BIND_F08},
    {"pmpir_comm_rank_f08_", "MPI_Comm_rank", CS_BIND_F08},
    {"mpi_status_f2f08_", "MPI_Status_f2f08", CS_BIND_F77},
    {"mpi_type_create_f90_real_", "MPI_Type_create_f90_real", CS_BIND_F77},
    {"mpi_f_sync_reg_f08ts_", "MPI_F_sync_reg", CS_BIND_F08},
    {"MPI_Send_c", "MPI_Send_c", CS_BIND_C},
    {"PMPI_Send_c", "MPI_Send_c", CS_BIND_C},
    {"mpi_send_f08ts_large_", "MPI_Send_c", CS_BIND_F08},
    {"pmpir_type_size_f08_large_", "MPI_Type_size_c", CS_BIND_F08},
    {"mpi_send_c_", NULL, CS_BIND_F77},
    {"MPI_F_sync_reg", NULL, CS_BIND_C},
    {"MPI_send", NULL, CS_BIND_C},
    {"MPI_Sendx", NULL, CS_BIND_C},
    {"mpi_", NULL, CS_BIND_C},
    {"MPIR_Send", NULL, CS_BIND_C},
    {"mpir_send_", NULL, CS_BIND_C},
    {"printf", NULL, CS_BIND_C},
    {"", NULL, CS_BIND_C},
    {"P", NULL, CS_BIND_C},
    {"mpi_a_name_that_is_much_longer_than_any_call_of_mpi_will_ever_be_in_any_standard_", NULL, CS_BIND_C},
};

START_TEST(symbol_is_found)
{
    enum cs_binding b = CS_BIND_C;
    const struct cs_mpi_call *c = cs_mpi_by_symbol(symbols[_i].symbol, &b);
    ck_assert_pstr_eq(c ? c->name : NULL, symbols[_i].call);
    if (c)
        ck_assert_int_eq(b, symbols[_i].binding);
}
END_TEST

static const struct {
    const char *symbol, *what;
    bool refused;
} missing[] = {
    {"MPI_Psend_init", "MPI 4", true},
    {"mpi_psend_init_f08ts_", "MPI 4", true},
    {"MPI_Session_init", "MPI 4", true},
    {"MPI_Send_c", NULL, false},
    {"mpi_send_f08ts_large_", NULL, false},
    {"MPI_Psend_init_c", "large counts of MPI 4", true},
    {"mpi_psend_init_f08ts_large_", "large counts of MPI 4", true},
    {"MPI_T_init_thread", "tool interface", false},
    {"MPIX_Comm_shrink", "extension of the library", false},
    {"MPI_Send", NULL, false},
    {"MPI_Win_create", NULL, false}, /* in the table, of kind UNSUPPORTED */
    {"MPI_COMM_DUP_FN", NULL, false},
    {"mpi_comm_null_copy_fn_", NULL, false},
    {"puts", NULL, false},
};

START_TEST(missing_calls_are_known)
{
    const struct cs_mpi_missing *m = cs_mpi_missing(missing[_i].symbol);
    ck_assert_pstr_eq(m ? m->what : NULL, missing[_i].what);
    ck_assert_int_eq(m && m->refusal, missing[_i].refused);
}
END_TEST

START_TEST(roles_have_names)
{
    for (int r = 0; r < CS_ROLE_COUNT_; r++)
        ck_assert_str_ne(cs_role_name(r), "?");
    ck_assert_str_eq(cs_role_name(CS_ROLE_COUNT_), "?");
    ck_assert(cs_role_is_recorded(CS_ROLE_DEST) && !cs_role_is_recorded(CS_ROLE_SBUF));
}
END_TEST

/* Collectives by flags and arguments are those that their names say. */
START_TEST(collectives)
{
    static const char *const names[CS_COLLECTIVE_COUNT] = {
        [CS_COLLECTIVE_BARRIER] = "Barrier",
        [CS_COLLECTIVE_BCAST] = "Bcast",
        [CS_COLLECTIVE_REDUCE] = "Reduce",
        [CS_COLLECTIVE_ALLREDUCE] = "Allreduce",
        [CS_COLLECTIVE_SCAN] = "Scan",
        [CS_COLLECTIVE_EXSCAN] = "Exscan",
        [CS_COLLECTIVE_GATHER] = "Gather",
        [CS_COLLECTIVE_GATHERV] = "Gatherv",
        [CS_COLLECTIVE_SCATTER] = "Scatter",
        [CS_COLLECTIVE_SCATTERV] = "Scatterv",
        [CS_COLLECTIVE_ALLGATHER] = "Allgather",
        [CS_COLLECTIVE_ALLGATHERV] = "Allgatherv",
        [CS_COLLECTIVE_ALLTOALL] = "Alltoall",
        [CS_COLLECTIVE_ALLTOALLV] = "Alltoallv",
        [CS_COLLECTIVE_ALLTOALLW] = "Alltoallw",
        [CS_COLLECTIVE_REDUCE_SCATTER] = "Reduce_scatter",
        [CS_COLLECTIVE_REDUCE_SCATTER_BLOCK] = "Reduce_scatter_block",
    };
    int seen[CS_COLLECTIVE_COUNT] = {0};
    for (int i = 0; i < cs_mpi_ncalls(); i++) {
        const struct cs_mpi_call *c = cs_mpi_call(i);
        enum cs_collective is = cs_mpi_collective(c);
        bool persistent = c->flags & CS_MPI_PERSISTENT;
        const char *plain = c->name + 4 + (c->flags & CS_MPI_NONBLOCKING && !persistent);
        size_t large = cs_mpi_is_large(c) ? strlen("_c") : 0;
        size_t letters = strlen(plain) - large - (persistent ? strlen("_init") : 0);
        bool wanted = (c->kind == CS_MPI_COLL || c->kind == CS_MPI_BARRIER) && !(c->flags & CS_MPI_NEIGHBOR);
        ck_assert_msg(wanted == (is != CS_COLLECTIVE_NONE), "%s", c->name);
        if (is != CS_COLLECTIVE_NONE)
            ck_assert_msg(strlen(names[is]) == letters && strncasecmp(plain, names[is], letters) == 0, "%s is %s",
                          c->name, names[is]);
        seen[is]++;
    }
    for (int k = CS_COLLECTIVE_NONE + 1; k < CS_COLLECTIVE_COUNT; k++)
        ck_assert_msg(seen[k] == (k == CS_COLLECTIVE_BARRIER ? 3 : 6), "%s: %d calls", names[k], seen[k]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mpi_calls");
    TCase *t = tcase_create("table");
    tcase_add_test(t, rows_are_consistent);
    tcase_add_test(t, kinds_have_their_arguments);
    tcase_add_test(t, flags_agree_with_kinds_and_roles);
    tcase_add_test(t, send_counts_per_peer);
    tcase_add_loop_test(t, flags_agree_with_names, 0, sizeof named / sizeof named[0]);
    tcase_add_loop_test(t, symbol_is_found, 0, sizeof symbols / sizeof symbols[0]);
    tcase_add_loop_test(t, missing_calls_are_known, 0, sizeof missing / sizeof missing[0]);
    tcase_add_test(t, roles_have_names);
    tcase_add_test(t, collectives);
    suite_add_tcase(s, t);
    return suite_main(s);
}
