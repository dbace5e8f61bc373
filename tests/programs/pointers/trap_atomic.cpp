/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: trap_atomic
 * about: atomic pointers and numbers: loaded, exchanged, compared and swapped, tagged in their lowest bits
 * ranks: 2 3
 * gone: heat
 * marks: content=0
 */
#include <mpi.h>
#include <stdio.h>
#include <atomic>
#include <cstdint>

static int rank, size;
static double field[1 << 14];

extern "C" {
static void heat(void)
{
    for (int step = 0; step < 50; step++)
        for (int i = 1; i < (1 << 14) - 1; i++)
            field[i] += 0.1 * (field[i - 1] - 2 * field[i] + field[i + 1]);
}
}

static void send(int count)
{
    MPI_Sendrecv_replace(field, count, MPI_DOUBLE, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
        MPI_STATUS_IGNORE);
    printf("%d\n", count);
}

static int first = 5, second = 6;
static std::atomic<int *> place{&first};
static std::atomic<int> number{3};
static std::atomic<std::uintptr_t> tagged;

static void numbers()
{
    number.fetch_add(size);
    send(number);
    int old = 0;
    while (!number.compare_exchange_weak(old, old * 2)) {}
    send(number.load() + 100 * old);
    number.compare_exchange_strong(old, 1);
    send(old + 1);
    number.compare_exchange_strong(old, 2);
    send(number + 2);
}

static void pointers()
{
    *place.load() += size;
    send(first);
    place.store(&second);
    int *expected = size == 2 ? &second : &first, tries = 0;
    while (!place.compare_exchange_strong(expected, &first)) tries++;
    send(tries + 1);
    *expected += 3;
    send(second);
    *place.exchange(&second) = 11 + size;
    send(first + 1);
    *place.load() += 4;
    send(second + 1);
    tagged = (std::uintptr_t)&first;
    *(int *)(__atomic_or_fetch((std::uintptr_t *)&tagged, 1, __ATOMIC_SEQ_CST) - 1) = 20 + size;
    send(first);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    field[100] = 1;
    heat();
    numbers();
    pointers();
    MPI_Reduce(field, field + 8192, 100, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
