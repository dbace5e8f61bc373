/* commslice-test: trap_merge
 * about: ways that come together with the same value, and what is different all the same: the iteration that it is
 * about: from, messages on the way, a loop that ends, a case that goes on
 * ranks: 2 3 4
 */
#include <mpi.h>
#include <stdio.h>

static int data[16], buf[64];

static void send(int n, int tag)
{
    MPI_Sendrecv(buf, n, MPI_INT, 0, tag, buf + 32, 32, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

/* Two ways out of a loop with the same variable: it is from different iterations. */
static int two_ways_out(int limit)
{
    int n = 0;
    for (;;) {
        n += 2;
        if (data[n % 16] > limit)
            goto out;
        data[0]++;
        if (data[(n + 5) % 16] == 3)
            goto out;
    }
out:
    return n;
}

/* The same number from each case, and a message in some. */
static int cases(int kind)
{
    int n = 2;
    switch (kind) {
    case 1: send(1, 1); break;
    case 2: send(2, 2); /* fall through */
    case 3: send(3, 3); n = 2; break;
    case 4: n = 2; break;
    default: n = 5;
    }
    return n;
}

/* What is merged is equal; how often the loop runs is not. */
static int inner_loop(int times)
{
    int n = 4, left = times;
    while (left > 0) {
        if (data[left] & 1) {
            left -= 2;
            n = 4;
            continue;
        }
        left--;
        send(1, 8);
        n = 4;
    }
    return n;
}

/* Equal at first, and then one of them changes. */
static int later(int a, int b)
{
    int n = a, m = a;
    if (b > 3)
        m = n;
    else
        n = m;
    for (int i = 0; i < b; i++)
        if (i & 1)
            n++;
        else
            m++;
    return b > 2 ? n : m;
}

/* A variable that one way leaves undefined is not asked for then. */
static int half_defined(int a)
{
    int n;
    if (a > 1)
        n = a + 1;
    if (a > 0)
        return a > 1 ? n : 1;
    return 2;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 16; i++)
        data[i] = (i * 7 + rank * 3) % 11;
    for (int i = 3; i < 9; i += 2) {
        int n = two_ways_out(i);
        sum += n;
        send(n % 8 + 1, 10);
    }
    for (int i = 0; i < 6; i++)
        send(cases((data[i] + i) % 6), 20);
    send(inner_loop(5 + rank), 30);
    for (int i = 0; i < 5; i++) {
        send(later(data[i] % 5, data[i + 1] % 7), 40);
        send(half_defined(data[i] % 4), 50);
    }
    printf("rank %d: %d\n", rank, sum);
    MPI_Finalize();
    return 0;
}
