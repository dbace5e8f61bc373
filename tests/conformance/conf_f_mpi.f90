! SPDX-License-Identifier: BSD-3-Clause
! By way of use mpi: integer handles, statuses as arrays, every call with ierror.
! ranks: 3
program f_mpi
  use kit
  use mpi
  implicit none
  integer :: r, n, left, right, ierr
  if (.not. lists()) then
     call MPI_INIT(ierr)
     call MPI_COMM_RANK(MPI_COMM_WORLD, r, ierr)
     call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
     right = mod(r + 1, n)
     left = mod(r + n - 1, n)
  end if
  if (begin('ring')) call ring()
  if (begin('statuses')) call statuses()
  if (begin('bottom')) call bottom()
  if (begin('characters')) call characters()
  if (begin('complex_sum')) call complex_sum()
  if (begin('maxloc')) call maxloc_pairs()
  if (begin('errors_return')) call errors_return()
  if (begin('own_handler')) call own_handler()
  if (begin('attributes')) call attributes()
  if (begin('struct_of_a_type')) call struct_of_a_type()
  if (begin('f90_kinds')) call f90_kinds()
  if (begin('persistent')) call persistent()
  if (begin('probe')) call probe()
  if (begin('testall')) call testall()
  if (begin('infos')) call infos()
  if (begin('pack')) call pack_unpack()
  call end_of_cases()
  if (.not. lists()) call MPI_FINALIZE(ierr)
contains
  subroutine ring()
    integer :: x, y
    x = r
    call MPI_SENDRECV(x, 1, MPI_INTEGER, right, 0, y, 1, MPI_INTEGER, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(y == left .and. ierr == MPI_SUCCESS, 'ring')
    call say('got', [y])
  end subroutine

  subroutine statuses()
    integer, volatile :: x(2)
    integer :: q(2), st(MPI_STATUS_SIZE, 2), m
    call MPI_IRECV(x(1), 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, q(1), ierr)
    call MPI_IRECV(x(2), 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, q(2), ierr)
    call MPI_SEND(10 * r, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, ierr)
    call MPI_SEND(11 * r, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, ierr)
    call MPI_WAITALL(2, q, st, ierr)
    call MPI_GET_COUNT(st(:, 2), MPI_INTEGER, m, ierr)
    call check(st(MPI_SOURCE, 1) == left .and. st(MPI_TAG, 2) == 2 .and. m == 1, 'status')
    call check(x(2) == 11 * left .and. q(1) == MPI_REQUEST_NULL, 'content')
    call say('got', x)
  end subroutine

  subroutine bottom()
    integer :: a, b, t, lengths(2)
    integer(MPI_ADDRESS_KIND) :: at(2)
    common /far/ a, b
    a = merge(5, 0, r == 0)
    b = merge(6, 0, r == 0)
    lengths = 1
    call MPI_GET_ADDRESS(a, at(1), ierr)
    call MPI_GET_ADDRESS(b, at(2), ierr)
    call MPI_TYPE_CREATE_HINDEXED(2, lengths, at, MPI_INTEGER, t, ierr)
    call MPI_TYPE_COMMIT(t, ierr)
    call MPI_BCAST(MPI_BOTTOM, 1, t, 0, MPI_COMM_WORLD, ierr)
    call MPI_TYPE_FREE(t, ierr)
    call check(a == 5 .and. b == 6, 'bottom')
    call say('got', [a, b])
  end subroutine

  subroutine characters()
    character(12) :: text
    text = merge('from rank 2 ', '............', r == 2)
    call MPI_BCAST(text, 12, MPI_CHARACTER, 2, MPI_COMM_WORLD, ierr)
    call check(text == 'from rank 2', 'text')
    call say('length', [len_trim(text)])
  end subroutine

  subroutine complex_sum()
    complex(dp) :: z, s
    z = cmplx(r, 1, dp)
    call MPI_ALLREDUCE(z, s, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
    call check(s == (3d0, 3d0), 'sum')
    call say_real('got', [real(s), aimag(s)])
  end subroutine

  subroutine maxloc_pairs()
    real(dp) :: x(2), y(2)
    integer :: a(2), b(2)
    x = [real(mod(r + 1, 3), dp), real(r, dp)]
    call MPI_ALLREDUCE(x, y, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
    a = [mod(r + 1, 3), r]
    call MPI_ALLREDUCE(a, b, 1, MPI_2INTEGER, MPI_MINLOC, MPI_COMM_WORLD, ierr)
    call check(y(1) == 2 .and. y(2) == 1 .and. b(1) == 0 .and. b(2) == 2, 'loc')
    call say('got', [nint(y), b])
  end subroutine

  subroutine errors_return()
    integer :: x, class, length, code
    character(MPI_MAX_ERROR_STRING) :: text
    x = 0
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
    call MPI_SEND(x, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, code)
    call MPI_ERROR_CLASS(code, class, ierr)
    call MPI_ERROR_STRING(code, text, length, ierr)
    call check(class == MPI_ERR_RANK .and. length > 0, 'class')
    call say('class', [class])
  end subroutine

  subroutine note(comm, code)
    integer :: comm, code, class, e
    call MPI_ERROR_CLASS(code, class, e)
    call check(comm == MPI_COMM_WORLD, 'communicator of the handler')
    call say('handler', [class])
  end subroutine

  subroutine own_handler()
    integer :: x, handler, code
    x = 0
    call MPI_COMM_CREATE_ERRHANDLER(note, handler, ierr)
    call MPI_COMM_SET_ERRHANDLER(MPI_COMM_WORLD, handler, ierr)
    call MPI_SEND(x, 1, MPI_INTEGER, 99, 0, MPI_COMM_WORLD, code)
    call check(code /= MPI_SUCCESS, 'code')
    call MPI_ERRHANDLER_FREE(handler, ierr)
    call say('done', [0])
  end subroutine

  subroutine attributes()
    integer :: key, copy
    integer(MPI_ADDRESS_KIND) :: value, extra
    logical :: there
    call MPI_COMM_GET_ATTR(MPI_COMM_WORLD, MPI_TAG_UB, value, there, ierr)
    call check(there .and. value >= 32767, 'tag_ub')
    extra = 0
    call MPI_COMM_CREATE_KEYVAL(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, extra, ierr)
    value = 123456789012_MPI_ADDRESS_KIND
    call MPI_COMM_SET_ATTR(MPI_COMM_WORLD, key, value, ierr)
    call MPI_COMM_DUP(MPI_COMM_WORLD, copy, ierr)
    value = 0
    call MPI_COMM_GET_ATTR(copy, key, value, there, ierr)
    call check(there .and. value == 123456789012_MPI_ADDRESS_KIND, 'copied')
    call MPI_COMM_FREE(copy, ierr)
    call MPI_COMM_DELETE_ATTR(MPI_COMM_WORLD, key, ierr)
    call MPI_COMM_FREE_KEYVAL(key, ierr)
    call say('done', [0])
  end subroutine

  subroutine struct_of_a_type()
    type particle
       sequence
       real(dp) :: x(2)
       integer :: id, flag
    end type
    type(particle) :: p(2)
    integer :: t, part, types(2)
    integer(MPI_ADDRESS_KIND) :: at(3), size
    p(:)%id = r
    p(:)%flag = -1
    p(1)%x = r
    p(2)%x = r + 0.5d0
    call MPI_GET_ADDRESS(p(1)%x, at(1), ierr)
    call MPI_GET_ADDRESS(p(1)%id, at(2), ierr)
    call MPI_GET_ADDRESS(p(2)%x, at(3), ierr)
    size = at(3) - at(1)
    at = at - at(1)
    types = [MPI_DOUBLE_PRECISION, MPI_INTEGER]
    call MPI_TYPE_CREATE_STRUCT(2, [2, 1], at(1:2), types, part, ierr)
    call MPI_TYPE_CREATE_RESIZED(part, 0_MPI_ADDRESS_KIND, size, t, ierr)
    call MPI_TYPE_COMMIT(t, ierr)
    call MPI_SENDRECV_REPLACE(p, 2, t, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call check(p(2)%x(2) == left + 0.5d0 .and. p(2)%id == left .and. p(2)%flag == -1, 'particle')
    call say('id', [p(2)%id, int(size)])
    call MPI_TYPE_FREE(t, ierr)
    call MPI_TYPE_FREE(part, ierr)
  end subroutine

  subroutine f90_kinds()
    integer, parameter :: k = selected_int_kind(12), f = selected_real_kind(6, 30)
    integer(k) :: i, isum
    real(f) :: x, xmax
    integer :: ti, tf, m
    call MPI_TYPE_CREATE_F90_INTEGER(12, ti, ierr)
    call MPI_TYPE_CREATE_F90_REAL(6, 30, tf, ierr)
    call MPI_TYPE_SIZE(ti, m, ierr)
    i = 10_k ** 10 + r
    x = r + 0.25_f
    call MPI_ALLREDUCE(i, isum, 1, ti, MPI_SUM, MPI_COMM_WORLD, ierr)
    call MPI_ALLREDUCE(x, xmax, 1, tf, MPI_MAX, MPI_COMM_WORLD, ierr)
    call check(m == 8 .and. isum == 3 * 10_k ** 10 + 3 .and. xmax == 2.25_f, 'kinds')
    call say('size', [m])
  end subroutine

  subroutine persistent()
    integer, volatile :: x, y       ! they change behind the compiler's back
    integer :: q(2), i
    call MPI_SEND_INIT(x, 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, q(1), ierr)
    call MPI_RECV_INIT(y, 1, MPI_INTEGER, left, 4, MPI_COMM_WORLD, q(2), ierr)
    do i = 1, 3
       x = 10 * r + i
       call MPI_STARTALL(2, q, ierr)
       call MPI_WAITALL(2, q, MPI_STATUSES_IGNORE, ierr)
       call check(y == 10 * left + i, 'persistent')
    end do
    call MPI_REQUEST_FREE(q(1), ierr)
    call MPI_REQUEST_FREE(q(2), ierr)
    call say('got', [y])
  end subroutine

  subroutine probe()
    integer :: st(MPI_STATUS_SIZE), m
    real :: a(6)
    a = 1.5
    if (r == 2) call MPI_SEND(a, 3, MPI_REAL, 0, 9, MPI_COMM_WORLD, ierr)
    if (r == 0) then
       call MPI_PROBE(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, st, ierr)
       call MPI_GET_COUNT(st, MPI_REAL, m, ierr)
       a = 0
       call MPI_RECV(a, m, MPI_REAL, st(MPI_SOURCE), st(MPI_TAG), MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
       call check(m == 3 .and. a(3) == 1.5 .and. a(4) == 0, 'probe')
       call say('count', [m, st(MPI_SOURCE), st(MPI_TAG)])
    end if
  end subroutine

  subroutine testall()
    integer, volatile :: x, y
    integer :: q(2)
    logical :: flag
    x = r
    call MPI_IRECV(y, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, q(1), ierr)
    call MPI_ISEND(x, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, q(2), ierr)
    flag = .false.
    do while (.not. flag)
       call MPI_TESTALL(2, q, flag, MPI_STATUSES_IGNORE, ierr)
    end do
    call check(y == left .and. q(2) == MPI_REQUEST_NULL, 'testall')
    call say('got', [y])
  end subroutine

  ! Blanks at both ends are not part of a key or value.
  subroutine infos()
    integer :: i, m
    character(20) :: value, key
    logical :: flag
    call MPI_INFO_CREATE(i, ierr)
    call MPI_INFO_SET(i, 'a key   ', '  a value  ', ierr)
    value = 'xxxxxxxxxxxxxxxxxxxx'
    call MPI_INFO_GET(i, 'a key', 20, value, flag, ierr)
    call check(flag .and. value == 'a value', 'value')
    call MPI_INFO_GET_NTHKEY(i, 0, key, ierr)
    call check(key == 'a key', 'key')
    call MPI_INFO_GET_VALUELEN(i, 'a key', m, flag, ierr)
    call check(m == 7, 'length')
    call MPI_INFO_FREE(i, ierr)
    call say('length', [m])
  end subroutine

  subroutine pack_unpack()
    character :: buffer(64)
    integer :: at, i
    real(dp) :: x
    at = 0
    i = 0
    x = 0
    if (r == 1) then
       call MPI_PACK(42, 1, MPI_INTEGER, buffer, 64, at, MPI_COMM_WORLD, ierr)
       call MPI_PACK(2.5d0, 1, MPI_DOUBLE_PRECISION, buffer, 64, at, MPI_COMM_WORLD, ierr)
    end if
    call MPI_BCAST(buffer, 12, MPI_PACKED, 1, MPI_COMM_WORLD, ierr)
    at = 0
    call MPI_UNPACK(buffer, 64, at, i, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    call MPI_UNPACK(buffer, 64, at, x, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    call check(i == 42 .and. x == 2.5d0 .and. at == 12, 'pack')
    call say('got', [i, at])
  end subroutine
end program f_mpi
