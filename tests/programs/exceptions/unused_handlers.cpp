/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: unused_handlers
 * about: functions that nobody calls throw, catch and throw on; the same ones that run decide a count
 * ranks: 2
 */
#include <mpi.h>

static int calls;

static void may_throw(int n)
{
    calls++;
    if (n > 3) throw n;
}

#define HANDLERS(NAME) \
    static int NAME##_in_switch(int n) \
    { \
        try { \
            may_throw(n); \
            switch (n) { \
            case 1: calls++; break; \
            default: throw 2.5; \
            } \
        } catch (double k) { \
            calls -= 2; \
        } \
        return calls; \
    } \
    static int NAME##_on(int n) \
    { \
        try { \
            if (n > 1) throw n; \
            try { \
                throw 2.5; \
            } catch (...) { \
                calls += 5; \
                throw 3.5; \
            } \
        } catch (double k) { \
            calls += (int)k; \
        } \
        return calls; \
    } \
    static int NAME##_in_handler(int n) \
    { \
        try { \
            throw 2.5; \
        } catch (double k) { \
            try { \
                if (n > 4) throw n; \
            } catch (...) { \
                calls += 7; \
            } \
        } \
        return calls; \
    }

HANDLERS(unused)
HANDLERS(used)

int main(int argc, char **argv)
{
    static char data[100];
    MPI_Init(&argc, &argv);
    int n = used_in_switch(argc + 1);
    n += used_on(argc);
    n += used_in_handler(argc + 5);
    MPI_Bcast(data, n, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (argc < 0) return unused_in_switch(1);
    MPI_Finalize();
}
