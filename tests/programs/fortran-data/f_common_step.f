c commslice-test: f_common_step
c about: a COMMON block holds the number of steps beside residuals, which a broadcast of a type from a variable,
c about: a read and a callee that gets the address of a member write
c ranks: 2 3 4
c gone: relax squares
c marks: content=2
c files: step.in=4 0.5 1.0 2.0\n
c SPDX-License-Identifier: BSD-3-Clause
      program fcomst
      implicit none
      include 'mpif.h'
      integer ierr, me, np, i
      double precision dt, tol(3), res(3), total
      integer nsteps, nverb
      common /ctl/ dt, tol, res, total, nsteps, nverb
      integer rtype
      common /kinds/ rtype
      double precision u
      common /field/ u(100)
      logical single
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, np, ierr)
      single = np .gt. 1000
      if (single) then
         rtype = MPI_REAL
      else
         rtype = MPI_DOUBLE_PRECISION
      end if
      if (me .eq. 0) then
         open(unit=7, file='step.in', status='old')
         read(7,*) nsteps, (tol(i), i = 1, 3)
         close(7)
         dt = 0.5d0
         nverb = 1
      end if
      call MPI_BCAST(nsteps, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call MPI_BCAST(nverb, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
      call MPI_BCAST(dt, 1, rtype, 0, MPI_COMM_WORLD, ierr)
      call MPI_BCAST(tol, 3, rtype, 0, MPI_COMM_WORLD, ierr)
      do 10 i = 1, 100
         u(i) = me + i
 10   continue
      do 20 i = 1, nsteps
         call relax(u, dt)
         call norms(u, res)
         if (nverb .gt. 1) call MPI_BARRIER(MPI_COMM_WORLD, ierr)
 20   continue
      total = res(1) + res(2) + res(3)
      print *, nsteps, total .gt. tol(1)
      call MPI_FINALIZE(ierr)
      end

      subroutine relax(u, dt)
      implicit none
      double precision u(100), dt
      integer i
      do 10 i = 2, 99
         u(i) = u(i) + dt * (u(i - 1) - u(i + 1))
 10   continue
      end

      subroutine norms(u, r)
      implicit none
      include 'mpif.h'
      double precision u(100), r(3), s(3)
      integer ierr
      integer rtype
      common /kinds/ rtype
      call squares(u, s)
      call MPI_ALLREDUCE(s, r, 3, rtype, MPI_SUM, MPI_COMM_WORLD, ierr)
      end

      subroutine squares(u, s)
      implicit none
      double precision u(100), s(3)
      integer i, m
      do 10 m = 1, 3
         s(m) = 0
 10   continue
      do 20 i = 1, 99, 3
         do 15 m = 1, 3
            s(m) = s(m) + u(i + m - 1)**2
 15      continue
 20   continue
      end
