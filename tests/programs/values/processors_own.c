/* SPDX-License-Identifier: BSD-3-Clause
 * commslice-test: processors_own
 * about: functions of the processor (SSE) compute from their operands: the greatest of some numbers and how many are
 * about: above a limit decide counts, the sum of others decides nothing
 * ranks: 2 3
 * gone: sum_of
 */
#include <emmintrin.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 64 };
static float number[N], weight[N];
static double field[N];

static float sum_of(const float *x)
{
    __m128 sum = _mm_setzero_ps();
    for (int i = 0; i < N; i += 4)
        sum = _mm_add_ps(sum, _mm_sqrt_ps(_mm_loadu_ps(x + i)));
    sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
    return _mm_cvtss_f32(_mm_add_ss(sum, _mm_shuffle_ps(sum, sum, 1)));
}

static int greatest(const float *x)
{
    __m128 most = _mm_setzero_ps();
    for (int i = 0; i < N; i += 4)
        most = _mm_max_ps(most, _mm_loadu_ps(x + i));
    most = _mm_max_ps(most, _mm_movehl_ps(most, most));
    most = _mm_max_ss(most, _mm_shuffle_ps(most, most, 1));
    return _mm_cvtsi128_si32(_mm_cvtps_epi32(most));
}

static int above(const float *x, float limit)
{
    int many = 0;
    for (int i = 0; i < N; i += 4)
        many += __builtin_popcount(_mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(x + i), _mm_set1_ps(limit))));
    return many;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < N; i++) {
        number[i] = 0.5f * ((i * 7) % 13);
        weight[i] = 0.25f * i;
    }
    float sum = sum_of(weight);
    MPI_Bcast(field, greatest(number), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(field, above(number, 2.5f), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
