! commslice-test: trap_f_cpointer
! about: iso_c_binding: c_loc, c_f_pointer and c_ptr in a derived type hide where a count is written
! ranks: 2 3 4
! SPDX-License-Identifier: BSD-3-Clause
program trap_f_cpointer
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  type, bind(c) :: box
    type(c_ptr) :: where
    integer(c_int) :: n
  end type box
  interface
    function c_strlen(s) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: s
      integer(c_size_t) :: c_strlen
    end function c_strlen
    function c_malloc(n) bind(c, name='malloc')
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: n
      type(c_ptr) :: c_malloc
    end function c_malloc
    subroutine c_free(p) bind(c, name='free')
      import :: c_ptr
      type(c_ptr), value :: p
    end subroutine c_free
  end interface
  integer :: ierr, rank, nproc
  integer(c_int), target :: counts(4)
  integer(c_int), pointer :: view(:), heap(:)
  character(kind=c_char), target :: text(8)
  type(box) :: b, c
  type(c_ptr) :: raw
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  counts = [3, 6, 9, 12]
  b = box(c_loc(counts(2)), 3)
  c = b
  call c_f_pointer(c%where, view, [c%n])
  view(2) = view(2) + nproc
  call ring(counts(3), 1)
  raw = c_malloc(64_c_size_t)
  call c_f_pointer(raw, heap, [16])
  heap = 0
  heap(16) = counts(1) + view(3)
  c%where = raw
  call c_f_pointer(c%where, view, [16])
  call ring(view(16), 2)
  text = [character(kind=c_char) :: 'l', 'e', 'n', 'g', 't', 'h', c_null_char, 'x']
  call ring(int(c_strlen(c_loc(text))), 3)
  call c_free(raw)
  print *, rank, counts
  call MPI_Finalize(ierr)
contains
  subroutine ring(count, tag)
    integer, intent(in) :: count, tag
    real(8) :: outbuf(256), inbuf(256)
    outbuf = 0d0
    call MPI_Sendrecv(outbuf, count, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), tag, inbuf, 256, MPI_DOUBLE_PRECISION, &
                      mod(rank + nproc - 1, nproc), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine ring
end program trap_f_cpointer
