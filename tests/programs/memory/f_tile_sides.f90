! commslice-test: f_tile_sides
! about: an allocated array of tiles, each with its field and an array of its four sides. Who is at a side decides the
! about: messages; what is in the fields does not, and no index of a side comes to where a field is, or how warm it is.
! gone: heat
module tiles_module
  implicit none
  type tile_type
    real(8), allocatable :: field(:)
    real(8) :: warmth
    integer :: first
    integer :: sides(4)
  end type tile_type
  type(tile_type), allocatable :: tiles(:)
end module tiles_module

subroutine heat()
  use tiles_module
  implicit none
  integer :: t, i
  do t = 1, size(tiles)
    do i = 1, size(tiles(t)%field)
      tiles(t)%field(i) = tiles(t)%field(i) * 0.5d0 + i
    end do
    tiles(t)%warmth = sum(tiles(t)%field)
  end do
end subroutine heat

program f_tile_sides
  use mpi
  use tiles_module
  implicit none
  integer :: rank, ranks, error, t, side, to, from, got(2), status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  allocate (tiles(3))
  do t = 1, 3
    allocate (tiles(t)%field(10 + t))
    tiles(t)%field = rank
    tiles(t)%warmth = 0
    tiles(t)%first = t
    tiles(t)%sides = MPI_PROC_NULL
    tiles(t)%sides(1 + mod(t, 4)) = mod(rank + t, ranks)
    tiles(t)%sides(1 + mod(t + 1, 4)) = mod(rank + ranks * t - t, ranks)
  end do
  call heat()
  do t = 1, 3
    do side = 1, 2
      got = -1
      to = tiles(t)%sides(1 + mod(t + side - 1, 4))
      from = tiles(t)%sides(1 + mod(t + 2 - side, 4))
      call MPI_Sendrecv([rank, t], 2, MPI_INTEGER, to, t, got, 2, MPI_INTEGER, from, t, MPI_COMM_WORLD, status, error)
      print '(a,5(1x,i0))', 'got', rank, t, side, got
    end do
  end do
  print '(a,1x,i0,3(1x,f0.3))', 'warm', rank, tiles%warmth
  call MPI_Finalize(error)
end program f_tile_sides
