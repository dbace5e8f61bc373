! commslice-test: f_chars
! about: character arguments, select case on strings, concatenation and scan decide which call is made
! ranks: 2 3 4
! gone: tint
! array: cloth 64
! marks: content=1
! SPDX-License-Identifier: BSD-3-Clause
program f_chars
  use mpi
  implicit none
  integer :: ierr, rank, nproc, k, at, calls = 0
  character(len=200) :: script
  character(len=:), allocatable :: word
  real(8), allocatable :: cloth(:)
  real(8) :: inbuf(256), s

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nproc, ierr)
  script = ' '
  if (rank == 0) script = 'ring-12 barrier gather-5 none '//'ring-7'//' bcast-30 sendback-4 reduce-9 sendback nothingat-1 '// &
                          repeat('x', 77)//' ring-6'
  call MPI_Bcast(script, len(script), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierr)
  allocate(cloth(8*1024*1024))
  call tint(cloth, s)
  at = 1
  do while (len_trim(script(at:)) > 0)
    k = scan(script(at:), ' ')
    word = script(at:at + k - 2)
    call perform(word)
    at = at + k
    if (at > len(script)) exit
  end do
  print *, rank, calls, s
  call MPI_Finalize(ierr)
contains
  integer function number(w)
    character(len=*), intent(in) :: w
    integer :: i, dash
    dash = index(w, '-')
    number = 0
    if (dash == 0) return
    do i = dash + 1, len(w)
      number = 10*number + ichar(w(i:i)) - ichar('0')
    end do
  end function number

  function verb(w) result(v)
    character(len=*), intent(in) :: w
    character(len=8) :: v
    integer :: dash
    dash = index(w, '-')
    v = w
    if (dash > 0) v = w(:dash - 1)
  end function verb

  subroutine perform(w)
    character(len=*), intent(in) :: w
    integer :: n
    n = number(w)
    calls = calls + len(w)
    select case (verb(w))
    case ('ring')
      call MPI_Sendrecv(cloth, n, MPI_DOUBLE_PRECISION, mod(rank + 1, nproc), calls, inbuf, 256, MPI_DOUBLE_PRECISION, &
                        mod(rank + nproc - 1, nproc), calls, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('sendback')
      call MPI_Sendrecv(cloth, n + 1, MPI_DOUBLE_PRECISION, mod(rank + nproc - 1, nproc), calls, inbuf, 256, MPI_DOUBLE_PRECISION, &
                        mod(rank + 1, nproc), calls, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('gather')
      call MPI_Gather(cloth, n, MPI_DOUBLE_PRECISION, inbuf, n, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, ierr)
    case ('a':'bar', 'barrier')
      call MPI_Barrier(MPI_COMM_WORLD, ierr)
    case ('bcast')
      call MPI_Bcast(cloth, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
    case ('rec':'reduce')
      call MPI_Reduce(cloth, inbuf, n, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
    case default
      calls = calls + 1
    end select
  end subroutine perform

  subroutine tint(c, total)
    real(8), intent(out) :: c(:), total
    integer :: i
    total = 0d0
    do i = 1, size(c)
      c(i) = mod(i, 23)
      total = total + c(i)
    end do
  end subroutine tint
end program f_chars
