! SPDX-License-Identifier: BSD-3-Clause
! commslice-test: trap_f_library
! about: units 0 and 6 are opened as files, fseek and fgetc move what READ reads, lengths of strings go to MPI, attributes are deleted
! ranks: 2 3
module remembered
  implicit none
  integer :: deleted = 1
contains
  subroutine del(comm, key, val, extra, ierr)
    use mpi
    integer :: comm, key, ierr
    integer(mpi_address_kind) :: val, extra
    deleted = deleted + int(val) + int(extra)
    ierr = 0
  end subroutine
end module

program trap_f_library
  use mpi
  use remembered
  implicit none
  integer :: ierr, rank, nproc, n
  character(32) :: name
  call mpi_init(ierr)
  call mpi_comm_rank(mpi_comm_world, rank, ierr)
  call mpi_comm_size(mpi_comm_world, nproc, ierr)
  write (name, '(a,i0)') 'f_library.', rank
  call lengths('keyabcdef')
  call attributes
  call places
  call output
  call mpi_finalize(ierr)
contains
  subroutine meet(k)
    integer, intent(in) :: k
    integer, save :: b(1024)
    call mpi_bcast(b, k, mpi_integer, 0, mpi_comm_world, ierr)
  end subroutine

  subroutine output
    open (6, file=name)
    write (6, *) nproc + 6
    close (6)
    open (10, file=name)
    read (10, *) n
    close (10, status='delete')
    call meet(n)
    open (0, file=name)
    write (0, *) nproc + 16
    rewind (0)
    read (0, *) n
    close (0, status='delete')
    call meet(n)
  end subroutine

  subroutine places
    open (12, file=name, access='stream', form='formatted')
    write (12, '(a)') '123456789'
    rewind (12)
    call skip(nproc)
    read (12, '(i1)') n
    call meet(n)
    rewind (12)
    call fseek(12, 4 + nproc, 0)
    read (12, '(i1)') n
    call meet(n)
    close (12, status='delete')
  end subroutine

  subroutine skip(k)
    integer, intent(in) :: k
    integer :: i
    character :: c
    do i = 1, k
      call fgetc(12, c)
    end do
  end subroutine

  subroutine set_value(info, key, val)
    integer, intent(in) :: info
    character(*), intent(in) :: key, val
    call mpi_info_set(info, key, val, ierr)
  end subroutine

  subroutine lengths(key)
    character(*), intent(in) :: key
    character(40) :: val, got
    logical :: flag
    integer :: info
    write (val, '(a,i0)') '12345678', nproc
    call mpi_info_create(info, ierr)
    call set_value(info, key(1:2 + nproc), val(1:4 + nproc))
    call mpi_info_get(info, key(1:2 + nproc), 39, got, flag, ierr)
    call meet(len_trim(got))
    got = 'zzzzzzzzzzzzz'
    call mpi_info_get(info, key(1:2 + nproc), 39, got(1:1 + nproc), flag, ierr)
    call meet(index(got, 'z'))
    call mpi_info_free(info, ierr)
  end subroutine

  subroutine attributes
    integer :: key
    logical :: flag
    integer(mpi_address_kind) :: val
    call mpi_comm_create_keyval(mpi_comm_null_copy_fn, del, key, 4_mpi_address_kind, ierr)
    val = nproc + 5
    call mpi_comm_set_attr(mpi_comm_world, key, val, ierr)
    call mpi_comm_delete_attr(mpi_comm_world, key, ierr)
    call meet(deleted)
    call mpi_comm_get_attr(mpi_comm_world, key, val, flag, ierr)
    if (.not. flag) call meet(3)
  end subroutine
end program
