/* SPDX-License-Identifier: BSD-3-Clause
 * The demo: heat spreads over a plate that is cut into blocks, one a rank. Each step exchanges the
 * blocks' borders with the four neighbours; the plate's size, the process grid and the steps come from a file. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plate {
    int rows, cols;     /* of this rank's block, without its border */
    double *now, *next; /* (rows + 2) x (cols + 2) */
    MPI_Comm grid;
    MPI_Datatype column;
    int up, down, left, right; /* neighbours, MPI_PROC_NULL at the plate's edge */
};

/* Reads "key value" lines. */
static int read_settings(const char *file, int *settings)
{
    static const char *const keys[] = {"rows", "cols", "grid_rows", "grid_cols", "steps", "report"};
    char key[32];
    int value;
    FILE *f = fopen(file, "r");
    if (!f)
        return -1;
    while (fscanf(f, "%31s %d", key, &value) == 2)
        for (int i = 0; i < 6; i++)
            if (!strcmp(key, keys[i]))
                settings[i] = value;
    return fclose(f);
}

static void exchange_borders(struct plate *p)
{
    int width = p->cols + 2;
    MPI_Request req[8];
    MPI_Status done[8];
    MPI_Irecv(p->now + 1, p->cols, MPI_DOUBLE, p->up, 0, p->grid, &req[0]);
    MPI_Irecv(p->now + (p->rows + 1) * width + 1, p->cols, MPI_DOUBLE, p->down, 1, p->grid, &req[1]);
    MPI_Irecv(p->now + width, 1, p->column, p->left, 2, p->grid, &req[2]);
    MPI_Irecv(p->now + width + p->cols + 1, 1, p->column, p->right, 3, p->grid, &req[3]);
    MPI_Isend(p->now + p->rows * width + 1, p->cols, MPI_DOUBLE, p->down, 0, p->grid, &req[4]);
    MPI_Isend(p->now + width + 1, p->cols, MPI_DOUBLE, p->up, 1, p->grid, &req[5]);
    MPI_Isend(p->now + width + p->cols, 1, p->column, p->right, 2, p->grid, &req[6]);
    MPI_Isend(p->now + width + 1, 1, p->column, p->left, 3, p->grid, &req[7]);
    MPI_Waitall(8, req, done);
}

static double relax(struct plate *p)
{
    int width = p->cols + 2;
    double change = 0, *t = p->now;
    for (int i = 1; i <= p->rows; i++)
        for (int j = i * width + 1; j <= i * width + p->cols; j++) {
            p->next[j] = 0.25 * (t[j - 1] + t[j + 1] + t[j - width] + t[j + width]);
            change += (p->next[j] - t[j]) * (p->next[j] - t[j]);
        }
    p->now = p->next;
    p->next = t;
    return change;
}

int main(int argc, char **argv)
{
    int set[6] = {0}, rank, periods[2] = {0, 0};
    struct plate p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && read_settings(argc > 1 ? argv[1] : "heat.txt", set)) {
        perror(argc > 1 ? argv[1] : "heat.txt");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Bcast(set, 6, MPI_INT, 0, MPI_COMM_WORLD);

    MPI_Cart_create(MPI_COMM_WORLD, 2, set + 2, periods, 0, &p.grid);
    MPI_Cart_shift(p.grid, 0, 1, &p.up, &p.down);
    MPI_Cart_shift(p.grid, 1, 1, &p.left, &p.right);
    p.rows = set[0] / set[2];
    p.cols = set[1] / set[3];
    MPI_Type_vector(p.rows, 1, p.cols + 2, MPI_DOUBLE, &p.column);
    MPI_Type_commit(&p.column);
    p.now = calloc((size_t)(p.rows + 2) * (p.cols + 2), sizeof(double));
    p.next = calloc((size_t)(p.rows + 2) * (p.cols + 2), sizeof(double));
    for (int j = 0; p.up == MPI_PROC_NULL && j < p.cols + 2; j++)
        p.now[j] = p.next[j] = 100; /* the upper edge is hot */

    for (int step = 1; step <= set[4]; step++) {
        double total, change;
        exchange_borders(&p);
        change = relax(&p);
        if (step % set[5] == 0) {
            MPI_Reduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, 0, p.grid);
            if (rank == 0)
                printf("step %4d: change %g\n", step, total);
        }
    }
    free(p.now);
    free(p.next);
    MPI_Type_free(&p.column);
    MPI_Comm_free(&p.grid);
    MPI_Finalize();
    return 0;
}
