! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: f08_unweighted
! about: distributed graphs of mpi_f08 without weights: whether there are any, and how many neighbours, decides
! ranks: 3 4
program f08_unweighted
  use mpi_f08
  implicit none
  type(MPI_Comm) :: ring
  integer :: size, rank, from(2), to(2), nfrom, nto, word(4)
  logical :: weighted

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  to = [mod(rank + 1, size), mod(rank + size - 1, size)]
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [2], to, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
  call MPI_Dist_graph_neighbors_count(ring, nfrom, nto, weighted)
  call MPI_Dist_graph_neighbors(ring, nfrom, from, MPI_UNWEIGHTED, nto, to, MPI_UNWEIGHTED)
  word = rank
  call MPI_Bcast(word, merge(4, nfrom, weighted), MPI_INTEGER, 0, ring)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + 1, size)], MPI_UNWEIGHTED, &
                                      1, [mod(rank + size - 1, size)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring)
  call MPI_Dist_graph_neighbors_count(ring, nfrom, nto, weighted)
  call MPI_Bcast(word, merge(4, nto, weighted), MPI_INTEGER, 0, ring)
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 0, [rank], [0], to, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., ring)
  call MPI_Dist_graph_neighbors_count(ring, nfrom, nto, weighted)
  call MPI_Bcast(word, merge(4, nto + 1, weighted), MPI_INTEGER, 0, ring)
  call MPI_Finalize()
end program f08_unweighted
