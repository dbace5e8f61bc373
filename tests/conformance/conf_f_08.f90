! SPDX-License-Identifier: BSD-3-Clause
! By way of use mpi_f08: handles as types, optional ierror, array sections, callbacks.
! ranks: 3
program f_08
  use kit
  use mpi_f08
  implicit none
  integer :: r, n, left, right, level
  if (.not. lists()) then
     call MPI_Init_thread(MPI_THREAD_FUNNELED, level)
     call MPI_Comm_rank(MPI_COMM_WORLD, r)
     call MPI_Comm_size(MPI_COMM_WORLD, n)
     right = mod(r + 1, n)
     left = mod(r + n - 1, n)
  end if
  if (begin('send_recv')) call send_recv()
  if (begin('without_ierror')) call without_ierror()
  if (begin('status_fields')) call status_fields()
  if (begin('waitall')) call waitall()
  if (begin('section_of_a_vector')) call section_of_a_vector()
  if (begin('section_of_a_matrix')) call section_of_a_matrix()
  if (begin('nonblocking_contiguous')) call nonblocking_contiguous()
  if (begin('in_place')) call in_place()
  if (begin('logical_reductions')) call logical_reductions()
  if (begin('handles_compare')) call handles_compare()
  if (begin('split')) call split()
  if (begin('grid')) call grid()
  if (begin('derived_type')) call derived_type()
  if (begin('user_op')) call user_op()
  if (begin('names')) call names()
  if (begin('alltoallv')) call alltoallv()
  if (begin('status_conversions')) call status_conversions()
  if (begin('sync_reg')) call sync_reg()
  if (begin('thread_level')) call thread_level()
  call end_of_cases()
  if (.not. lists()) call MPI_Finalize()
contains
  subroutine thread_level()
    integer :: now
    logical :: is_main
    call MPI_Query_thread(now)
    call MPI_Is_thread_main(is_main)
    call check(level >= MPI_THREAD_FUNNELED .and. now == level .and. is_main, 'thread level')
    call say('level', [now])
  end subroutine

  subroutine send_recv()
    integer :: x, y, ierr
    type(MPI_Status) :: st
    x = 10 * r
    y = -1
    call MPI_Sendrecv(x, 1, MPI_INTEGER, right, 1, y, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, st, ierr)
    call check(ierr == MPI_SUCCESS .and. y == 10 * left, 'sendrecv')
    call say('got', [y])
  end subroutine

  subroutine without_ierror()
    integer :: x, total
    x = r + 1
    call MPI_Allreduce(x, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
    call check(total == 6, 'allreduce')
    call say('total', [total])
  end subroutine

  subroutine status_fields()
    real(dp) :: a(5)
    integer :: m
    type(MPI_Status) :: st
    a = r
    if (r == 0) call MPI_Send(a, 4, MPI_DOUBLE_PRECISION, 1, 17, MPI_COMM_WORLD)
    if (r == 1) then
       call MPI_Recv(a, 5, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, st)
       call MPI_Get_count(st, MPI_DOUBLE_PRECISION, m)
       call check(st%MPI_SOURCE == 0 .and. st%MPI_TAG == 17 .and. m == 4, 'status')
       call say('status', [st%MPI_SOURCE, st%MPI_TAG, m])
    end if
  end subroutine

  subroutine waitall()
    integer, volatile :: x, y
    type(MPI_Request) :: q(2)
    type(MPI_Status) :: st(2)
    x = r
    call MPI_Irecv(y, 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, q(1))
    call MPI_Isend(x, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, q(2))
    call MPI_Waitall(2, q, st)
    call check(y == left .and. st(1)%MPI_SOURCE == left .and. q(1) == MPI_REQUEST_NULL, 'waitall')
    call say('got', [y])
  end subroutine

  subroutine section_of_a_vector()
    integer :: a(10), b(10), i
    a = [(100 * r + i, i = 1, 10)]
    b = -1
    call MPI_Sendrecv(a(1:9:2), 5, MPI_INTEGER, right, 3, b(2:10:2), 5, MPI_INTEGER, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b(1:9:2) == -1) .and. b(10) == 100 * left + 9, 'section')
    call say('got', b)
  end subroutine

  subroutine section_of_a_matrix()
    integer :: a(4, 4), i
    a = reshape([(i, i = 1, 16)], [4, 4])
    if (r /= 0) a = 0
    call MPI_Bcast(a(2:3, 2:4), 6, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(a(2, 2) == 6 .and. a(3, 4) == 15 .and. (r == 0 .or. a(1, 1) == 0), 'matrix')
    call say('got', reshape(a, [16]))
  end subroutine

  subroutine nonblocking_contiguous()
    integer, volatile :: a(4)
    type(MPI_Request) :: q
    a = merge(7, 0, r == 1)
    call MPI_Ibcast(a, 4, MPI_INTEGER, 1, MPI_COMM_WORLD, q)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    call check(all(a == 7), 'ibcast')
    call say('got', a)
  end subroutine

  subroutine in_place()
    integer :: a(3)
    a = 0
    a(r + 1) = r + 5
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(a == [5, 6, 7]), 'allgather')
    call MPI_Allreduce(MPI_IN_PLACE, a, 3, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
    call say('got', a)
  end subroutine

  subroutine logical_reductions()
    logical :: x, a, o
    x = r == 1
    call MPI_Allreduce(x, a, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
    call MPI_Allreduce(x, o, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD)
    call check(.not. a .and. o, 'logical')
    call say('got', [merge(1, 0, a), merge(1, 0, o)])
  end subroutine

  subroutine handles_compare()
    type(MPI_Comm) :: c
    integer :: how
    call MPI_Comm_dup(MPI_COMM_WORLD, c)
    call MPI_Comm_compare(c, MPI_COMM_WORLD, how)
    call check(c /= MPI_COMM_WORLD .and. how == MPI_CONGRUENT, 'dup')
    call MPI_Comm_free(c)
    call check(c == MPI_COMM_NULL, 'free')
    call say('done', [0])
  end subroutine

  subroutine split()
    type(MPI_Comm) :: c
    integer :: k
    call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 1, r == 0), -r, c)
    if (c /= MPI_COMM_NULL) then
       call MPI_Comm_rank(c, k)
       call check(k == 2 - r, 'rank')
       call say('rank', [k])
       call MPI_Comm_free(c)
    end if
    call check(r > 0 .or. c == MPI_COMM_NULL, 'undefined')
    call say('done', [0])
  end subroutine

  subroutine grid()
    type(MPI_Comm) :: c
    integer :: from, to, dims(1), coords(1)
    logical :: periods(1)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [3], [.true.], .false., c)
    call MPI_Cart_shift(c, 0, 1, from, to)
    call MPI_Cart_get(c, 1, dims, periods, coords)
    call check(from == left .and. to == right .and. periods(1) .and. coords(1) == r, 'cart')
    call say('shift', [from, to])
    call MPI_Comm_free(c)
  end subroutine

  subroutine derived_type()
    type(MPI_Datatype) :: row
    integer :: a(3, 4), i
    integer(MPI_ADDRESS_KIND) :: lb, extent
    a = reshape([(100 * r + i, i = 1, 12)], [3, 4])
    call MPI_Type_vector(4, 1, 3, MPI_INTEGER, row)
    call MPI_Type_commit(row)
    call MPI_Type_get_extent(row, lb, extent)
    call check(lb == 0 .and. extent == 40, 'extent')
    call MPI_Sendrecv_replace(a(2, 1), 1, row, right, 5, left, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(a(2, 1) == 100 * left + 2 .and. a(2, 4) == 100 * left + 11 .and. a(1, 1) == 100 * r + 1, 'row')
    call say('got', reshape(a, [12]))
    call MPI_Type_free(row)
  end subroutine

  subroutine user_op()
    type(MPI_Op) :: op
    integer :: x, y
    logical :: commutes
    x = r + 2
    call MPI_Op_create(largest_square, .true., op)
    call MPI_Op_commutative(op, commutes)
    call MPI_Allreduce(x, y, 1, MPI_INTEGER, op, MPI_COMM_WORLD)
    call check(commutes .and. y == 4, 'op')
    call MPI_Op_free(op)
    call say('got', [y])
  end subroutine

  subroutine largest_square(invec, inoutvec, len, datatype)
    use, intrinsic :: iso_c_binding
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    if (datatype /= MPI_INTEGER) return
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    b = max(a, b)
  end subroutine

  subroutine names()
    character(MPI_MAX_OBJECT_NAME) :: name
    integer :: length
    type(MPI_Comm) :: c
    call MPI_Comm_dup(MPI_COMM_WORLD, c)
    call MPI_Comm_set_name(c, 'a name')
    call MPI_Comm_get_name(c, name, length)
    call check(length == 6 .and. name == 'a name', 'name')
    call MPI_Comm_free(c)
    call say('length', [length])
  end subroutine

  subroutine alltoallv()
    integer :: a(6), b(6), scounts(3), sat(3), rcounts(3), rat(3), i
    scounts = [1, 2, 3]
    sat = [0, 1, 3]
    rcounts = r + 1
    rat = [(i * (r + 1), i = 0, 2)]
    a = [(10 * r + i, i = 1, 6)]
    b = -1
    if (r < 2) then
       call MPI_Alltoallv(a, scounts, sat, MPI_INTEGER, b, rcounts, rat, MPI_INTEGER, MPI_COMM_WORLD)
    else
       block
         integer :: big(9)
         call MPI_Alltoallv(a, scounts, sat, MPI_INTEGER, big, rcounts, rat, MPI_INTEGER, MPI_COMM_WORLD)
         b = big(1:6)
       end block
    end if
    call check(b(1) == sat(r + 1) + 1, 'alltoallv')
    call say('got', b)
  end subroutine

  subroutine status_conversions()
    integer :: x(2), old(MPI_STATUS_SIZE), m
    type(MPI_Status) :: st, back
    x = 3
    call MPI_Sendrecv(x, 2, MPI_INTEGER, right, 21, x, 2, MPI_INTEGER, left, 21, MPI_COMM_WORLD, st)
    call MPI_Status_f082f(st, old)
    call MPI_Status_f2f08(old, back)
    call MPI_Get_count(back, MPI_INTEGER, m)
    call check(old(MPI_SOURCE) == left .and. old(MPI_TAG) == 21 .and. back%MPI_SOURCE == left .and. m == 2, 'conversions')
    call say('count', [m])
  end subroutine

  subroutine sync_reg()
    integer, asynchronous :: y
    integer :: x
    type(MPI_Request) :: q
    x = 60 + r
    y = -1
    call MPI_Irecv(y, 1, MPI_INTEGER, left, 22, MPI_COMM_WORLD, q)
    call MPI_Send(x, 1, MPI_INTEGER, right, 22, MPI_COMM_WORLD)
    call MPI_Wait(q, MPI_STATUS_IGNORE)
    if (.not. MPI_ASYNC_PROTECTS_NONBLOCKING) call MPI_F_sync_reg(y)
    call check(y == 60 + left, 'sync_reg')
    call say('y', [y])
  end subroutine
end program f_08
