/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_mpi_rows
 * about: pairs as one element or two, addresses that are cast, a status before completion, error classes and strings
 * ranks: 2 3
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int buf[2048], size;

static void meet(int n)
{
    MPI_Bcast(buf, n & 1023, MPI_INT, 0, MPI_COMM_WORLD);
}

static int rank;

static void pairs(void)
{
    int v[2] = { 0, 0 }, w[2] = { size + 4, size * 3 };
    if (rank == 0)
        for (int r = 1; r < size; r++) MPI_Send(w, 1, MPI_2INT, r, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(v, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank)
        MPI_Send(buf, v[0] + v[1], MPI_INT, 0, 4, MPI_COMM_WORLD);
    else
        for (int r = 1; r < size; r++) MPI_Recv(buf, 2048, MPI_INT, r, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        v[1] = 8;
        MPI_Bcast(v, 2, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(v, 1, MPI_2INT, 0, MPI_COMM_WORLD);
    }
    meet(v[1] + size);
}

static void addresses(void)
{
    int n = 1, m = 1, lengths[2] = { 1, 1 };
    MPI_Aint d[2] = { (MPI_Aint)(intptr_t)&n, (MPI_Aint)(intptr_t)&m };
    MPI_Datatype t;
    MPI_Type_create_hindexed(2, lengths, d, MPI_INT, &t);
    MPI_Type_commit(&t);
    if (rank == 0) {
        n = size + 5;
        m = 2 * size;
    }
    MPI_Bcast(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD);
    meet(n);
    meet(m);
    MPI_Type_free(&t);
}

static void early_status(void)
{
    int flag = 0, n = 0;
    MPI_Request q;
    MPI_Status s;
    if (rank == 0) {
        for (int r = 1; r < size; r++) MPI_Send(buf, r + 2, MPI_INT, r, 40 + r, MPI_COMM_WORLD);
        for (int r = 1; r < size; r++) MPI_Recv(buf, 2048, MPI_INT, r, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Irecv(buf, 100, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &q);
    while (!flag)
        MPI_Request_get_status(q, &flag, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Send(buf, n * 100 + s.MPI_TAG, MPI_INT, 0, 5, MPI_COMM_WORLD);
}

static void errors(void)
{
    int first, second, code, n;
    char s[MPI_MAX_ERROR_STRING], text[16];
    MPI_Add_error_class(&first);
    MPI_Add_error_class(&second);
    meet(second & 63);
    MPI_Add_error_code(first, &code);
    sprintf(text, "%d", size + 7);
    MPI_Add_error_string(code, text);
    MPI_Error_string(code, s, &n);
    meet(atoi(s));
    for (int k = 0; k < 2; k++) {
        MPI_Error_class(code, &n);
        meet(n == first ? 2 : 3);
        MPI_Add_error_code(second, &code);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pairs();
    addresses();
    early_status();
    errors();
    MPI_Finalize();
    return 0;
}
