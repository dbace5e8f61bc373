#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Faults at random moments: processes of a run are killed, the disk is full, memory and time are short.

After each one: the command ends in time and says why; no process, shared memory or file is left; the trace can be read.
tests/faults_test.sh builds the programs and calls this; see there for how to run many.
"""
import argparse, ctypes, errno, fcntl, os, pty, random, re, resource, select, shutil, signal, subprocess, sys, termios, time, uuid

LIMIT = 15.0        # seconds from the fault to the end of the command
STRAY = 5.0         # and from there until nothing of it runs any more
READ_LIMIT = 300    # for reading a trace; a second or so on an idle machine
ENDLESS = "100000000"
SECONDS = "some"    # rounds for a second or two, whatever the number of ranks


def processes_of(mark):
    """Process ids with COMMSLICE_FAULT=mark in their environment, and their parents."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as f:
                if mark not in f.read():
                    continue
            with open(f"/proc/{name}/stat") as f:
                rest = f.read().rsplit(")", 1)[1].split()
            if rest[0] not in "ZX":
                found[int(name)] = int(rest[1])
        except OSError:
            pass
    return found


def is_program(pid, path):
    try:
        return os.readlink(f"/proc/{pid}/exe") == path
    except OSError:
        return False


def heed_signals():
    """Under nohup, or in the background of a shell, some are ignored, and programs leave that as it is."""
    for s in (I, H):
        signal.signal(s, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(1, T)       # PR_SET_PDEATHSIG: nothing of ours outlives us


class Run:
    """One run of commslice, started in a folder of its own."""

    def __init__(self, opts, number, kind):
        self.opts, self.kind = opts, kind
        self.id = uuid.uuid4().hex
        self.mark = f"COMMSLICE_FAULT={self.id}".encode()
        self.dir = os.path.join(opts.work, f"run{number}")
        self.tmp = os.path.join(self.dir, "tmp")
        os.makedirs(self.tmp)
        self.where = os.path.join(opts.work, "disk") if kind.full_disk else self.dir
        self.trace = os.path.join(self.where, "T")
        self.program = opts.program if kind.verb == "record" else opts.slice
        self.ranks = random.choice((2, 3, 4)) if kind.engine == "mpich" else random.choice((2, 3, 8, 16, 40, 100))
        self.log = os.path.join(self.dir, "log")
        self.problems = []

    def command(self):
        k = self.kind
        words = [self.opts.commslice, k.verb, "-o", self.trace]
        if k.engine == "emulate" or k.verb == "run":
            words += ["-n", str(self.ranks), "--engine", k.engine]
        if k.engine == "emulate" and random.random() < 0.5:
            words += ["--jobs", str(random.choice((1, 2, 5)))]
        words += k.options
        if k.verb == "record":
            words += ["--"] + ([] if k.engine == "emulate" else [self.opts.mpiexec, "-n", str(self.ranks)])
        return words + [self.program] + [str(100000 // self.ranks) if a == SECONDS else a for a in k.arguments]

    def start(self):
        env = dict(os.environ, COMMSLICE_FAULT=self.id, TMPDIR=self.tmp)
        out = open(self.log, "wb")
        self.master = None
        if self.kind.terminal:
            self.master, slave = pty.openpty()

            def take_terminal():
                heed_signals()
                fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            self.child = subprocess.Popen(self.command(), stdin=slave, stdout=out, stderr=out, env=env, cwd=self.dir,
                                          start_new_session=True, preexec_fn=take_terminal)
            os.close(slave)
        else:
            self.child = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=env, cwd=self.dir,
                                          start_new_session=True, preexec_fn=heed_signals)
        out.close()
        self.began = time.monotonic()

    # ---- who is who ----

    def server(self):
        """The parent of the emulated ranks, or mpiexec."""
        for pid, parent in processes_of(self.mark).items():
            if parent == self.child.pid:
                return pid
        return None

    def rank_pids(self):
        """Process ids of the ranks, in the order of their start."""
        everybody, server = processes_of(self.mark), self.server()
        if self.kind.engine == "mpich":
            return [p for p in everybody if is_program(p, self.program)]
        wrap = int(open("/proc/sys/kernel/pid_max").read())
        return sorted((p for p, parent in everybody.items() if server and parent == server), key=lambda p: (p - server) % wrap)

    # ---- the end ----

    def wait(self, longest):
        try:
            self.code = self.child.wait(longest)
            return True
        except subprocess.TimeoutExpired:
            return False

    def stray(self):
        """Waits until nothing of the run is left; what is after some time is told, and killed."""
        end = time.monotonic() + STRAY
        while (left := processes_of(self.mark)) and time.monotonic() < end:
            time.sleep(0.02)
        for pid in left:
            try:
                self.problems.append(f"process {pid} is left: " + open(f"/proc/{pid}/cmdline").read().replace("\0", " "))
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass

    def text(self):
        return open(self.log, errors="replace").read()

    def tool(self, *words):
        try:
            r = subprocess.run([self.opts.commslice, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=READ_LIMIT)
        except subprocess.TimeoutExpired:
            return f"none after {READ_LIMIT} s", ""
        return r.returncode, r.stdout

    def ran(self, before):
        """Did it come as far as to record something? MPICH's start alone may take seconds on a machine that is busy."""
        return before > 1.0 and self.kind.engine == "emulate"

    def check_trace(self, before):
        """Readable as far as it goes, and nothing beside it. A run that ended before MPI_Init has none."""
        if not os.path.exists(self.trace) or os.path.getsize(self.trace) == 0:
            if self.ran(before) and not self.kind.full_disk:
                self.problems.append(f"no trace after {before:.1f} s")
            return
        code, info = self.tool("info", self.trace)
        if code or not re.search(r"^ranks +\d+", info, re.M):
            self.problems.append(f"commslice info: exit {code}: {info.strip()[-200:]}")
            return
        if self.kind.cuts and self.ran(before) and not re.search(r"^ranks .* (cut|missing)", info, re.M):
            self.problems.append("commslice info does not say that the run was cut")
        events = int(re.search(r"^events +(\d+)", info, re.M).group(1))
        code, lines = self.tool("print", self.trace)
        printed = len(re.findall(r"^\d+:\d+ ", lines, re.M))
        if code or printed != events:
            self.problems.append(f"commslice print: exit {code}, {printed} lines for {events} events")
        if self.ran(before) and events == 0:
            self.problems.append("no event was saved")

    def check_files(self):
        left = [f for f in os.listdir(self.where) if f not in ("T", "log", "tmp")] + os.listdir(self.tmp)
        if left:
            self.problems.append("files are left: " + " ".join(left))

    def close(self):
        if self.master is not None:
            os.close(self.master)
        if self.kind.full_disk and os.path.exists(self.trace):
            os.remove(self.trace)
        if not self.problems:
            shutil.rmtree(self.dir)


class Kind:
    """A kind of fault: what is done, and what the command must say then."""

    def __init__(self, name, says, code, fault=None, verb="record", engine="emulate", options=(), arguments=(ENDLESS,), terminal=False,
                 full_disk=False, cuts=True, longest=1.5):
        self.name, self.says, self.code, self.fault, self.verb, self.engine = name, says, code, fault, verb, engine
        self.options, self.arguments, self.terminal, self.full_disk = list(options), list(arguments), terminal, full_disk
        self.cuts, self.longest = cuts, longest


def send(pid, sig):
    if pid:
        try:
            os.kill(pid, sig)
            return True
        except OSError as e:
            if e.errno != errno.ESRCH:
                raise
    return False


# Each returns a text that the message must have besides, or None if there was nobody to hurt yet.

def kill_rank(sig):
    def fault(run):
        pids = run.rank_pids()
        if not pids:
            return None
        i = random.randrange(len(pids))
        ok = send(pids[i], sig)
        return (f"rank {i} " if run.kind.engine == "emulate" else "") if ok else None
    return fault


def kill_server(sig):
    return lambda run: "" if send(run.server(), sig) else None


def signal_command(sig):
    return lambda run: "" if run.server() and send(run.child.pid, sig) else None


def kill_both(run):
    server = run.server()
    send(run.child.pid, signal.SIGKILL)
    return "" if send(server, signal.SIGKILL) else None


def ctrl_c(run):
    """Before it has started anything, commslice just dies of it, as any command does."""
    if not run.server():
        return None
    os.write(run.master, b"\x03")
    return ""


def stop_rank(run):
    pids = run.rank_pids()
    return "" if pids and send(random.choice(pids), signal.SIGSTOP) else None


def fill_disk(run):
    with open(os.path.join(run.where, "filling"), "wb", 0) as f:
        try:
            while True:
                f.write(b"x" * 4096)
        except OSError:
            pass
    return ""


K, T, I, H = signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP
PLACE = r"( at \S+(:\d+|\+0x[0-9a-f]+))?"
DIED = r"rank \d+ was ended by signal %d \(.*\)(, its last MPI call was" + PLACE + ")?"
CUT = r"did not come to MPI_Finalize|nothing was recorded"
KINDS = [
    Kind("kill -9 of a rank", DIED % 9, {2}, kill_rank(K)),
    Kind("SIGSEGV to a rank", DIED % 11, {2}, kill_rank(signal.SIGSEGV)),
    Kind("kill -9 of the ranks' parent", r"was ended by signal 9 \(Killed\)", {2}, kill_server(K)),
    Kind("kill -9 of commslice", "", {-9}, signal_command(K)),
    Kind("kill -9 of both", "", {-9}, kill_both),
    Kind("kill -9 of a rank, children", DIED % 9, {2}, kill_rank(K), arguments=(ENDLESS, "0", "children")),
    Kind("kill -9 of the parent, children", r"was ended by signal 9 \(Killed\)", {2}, kill_server(K), arguments=(ENDLESS, "0", "children")),
    Kind("kill -9 of commslice, children", "", {-9}, signal_command(K), arguments=(ENDLESS, "0", "children")),
    Kind("Ctrl-C", r"ended by signal 2 \(Interrupt\)", {130}, ctrl_c, terminal=True),
    Kind("SIGTERM to commslice", r"ended by signal 15 \(Terminated\)", {143}, signal_command(T)),
    Kind("SIGHUP to the ranks' parent", CUT, {2}, kill_server(H)),
    Kind("full disk", r"cannot write the trace \S+: No space left on device; it stays incomplete|rank \d+ was ended", {2}, fill_disk,
         full_disk=True, arguments=(SECONDS,), longest=0.3),
    Kind("full disk from the start", r"cannot write|No space left", {2}, full_disk="now", arguments=("100",)),
    Kind("--memory", r"rank \d+ (ended with exit code 1 before MPI_Finalize|was ended by signal)" + ".*--memory", {2},
         options=("--memory", "60M"), arguments=(ENDLESS, "3000000")),
    Kind("--timeout", r"not done in the time that --timeout gives(.*\n)+.*ranks? ", {2}, options=("--timeout", "1")),
    Kind("SIGSTOP of a rank, --timeout", r"not done in the time that --timeout gives(.*\n)+.*ranks? ", {2}, stop_rank, options=("--timeout", "1"),
         longest=0.5),
    Kind("slice: kill -9 of a rank", DIED % 9, {2}, kill_rank(K), verb="run"),
    Kind("slice: kill -9 of the ranks' parent", r"was ended by signal 9 \(Killed\)", {2}, kill_server(K), verb="run"),
    Kind("slice: kill -9 of commslice", "", {-9}, signal_command(K), verb="run"),
    Kind("slice: Ctrl-C", r"ended by signal 2 \(Interrupt\)", {130}, ctrl_c, verb="run", terminal=True),
]
MPICH_KINDS = [
    Kind("mpich: kill -9 of a rank", CUT, {2}, kill_rank(K), verb="run", engine="mpich"),
    Kind("mpich: kill -9 of mpiexec", CUT, {2}, kill_server(K), verb="run", engine="mpich"),
    Kind("mpich: kill -9 of commslice", "", {-9}, signal_command(K), verb="run", engine="mpich"),
    Kind("mpich: Ctrl-C", r"ended by signal 2 \(Interrupt\)", {130}, ctrl_c, verb="run", engine="mpich", terminal=True),
]


def one(opts, number, kind):
    """Returns the problems, and seconds from the fault to the end."""
    shm = set(os.listdir("/dev/shm"))
    run = Run(opts, number, kind)
    if kind.full_disk == "now":
        fill_disk(run)
    run.start()
    more, before = "", 0.0
    if kind.fault:
        before = random.uniform(0, min(kind.longest, opts.longest))
        if not run.wait(before):
            more = kind.fault(run)
            while more is None and run.child.poll() is None:    # nobody there yet
                more = kind.fault(run)
    hit = time.monotonic()
    if not run.wait(LIMIT):
        run.problems.append(f"hangs: not ended {LIMIT:.0f} s after the fault")
        for pid in processes_of(run.mark):
            send(pid, signal.SIGKILL)
        run.wait(LIMIT)
    took = time.monotonic() - hit
    run.stray()
    if run.code not in kind.code:
        run.problems.append(f"exit status {run.code}, not {kind.code}")
    if not re.search(kind.says, run.text()):
        run.problems.append("does not say why: " + run.text().strip()[-300:])
    if more and more not in run.text():
        run.problems.append(f"does not name {more}: " + run.text().strip()[-300:])
    filling = os.path.join(run.where, "filling")
    if os.path.exists(filling):
        os.remove(filling)
        resize_disk(run.where, "64m")       # so that what killed ranks left can be saved
    run.check_trace(before)
    run.check_files()
    left = {f for f in set(os.listdir("/dev/shm")) - shm if not f.startswith(("mpich_", "ucx_"))}   # other programs'
    if left and kind.engine == "emulate":
        run.problems.append("in /dev/shm: " + " ".join(left))
    run.close()
    if kind.full_disk:
        resize_disk(run.where, "4m")
    return run.problems, took, " ".join(run.command())


def make_disk(work):
    """A tiny file system in a mount namespace of our own, so that it goes when we go."""
    disk = os.path.join(work, "disk")
    os.makedirs(disk)
    return subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", disk]).returncode == 0


def resize_disk(disk, size):
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    for name in ("commslice", "mpiexec", "program", "slice", "work"):
        p.add_argument("--" + name, required=True)
    p.add_argument("-n", type=int, default=len(KINDS), help="number of runs")
    p.add_argument("--longest", type=float, default=9, help="seconds before a fault, at most")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--mpich", action="store_true", help="engine mpich as well, every fifth run")
    p.add_argument("--only", default="", help="only kinds whose name has this in it")
    opts = p.parse_args()
    if os.environ.get("CS_OWN_MOUNTS") != "1":
        os.environ["CS_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare"] + (["-m"] if os.geteuid() == 0 else ["-rm"]) + [sys.executable] + sys.argv)
    random.seed(opts.seed)
    if not make_disk(opts.work):
        sys.exit("series: cannot mount a small file system")
    kinds = [k for k in KINDS if opts.only in k.name]
    mpich = [k for k in MPICH_KINDS if opts.only in k.name] if opts.mpich else []
    sums, failed, began = {}, 0, time.monotonic()
    for i in range(opts.n):
        others = i // 5 if mpich and kinds else 0       # runs so far that every fifth one was engine mpich's
        k = mpich[(i // 5 if kinds else i) % len(mpich)] if mpich and (i % 5 == 4 or not kinds) else kinds[(i - others) % len(kinds)]
        problems, took, command = one(opts, i, k)
        failed += bool(problems)
        for text in problems:
            print(f"FAIL  run {i}, {k.name}: {text}\n      {command}", flush=True)
        n, bad, slowest = sums.get(k.name, (0, 0, 0.0))
        sums[k.name] = (n + 1, bad + bool(problems), max(slowest, took))
    print(f"{'fault':40} {'runs':>5} {'wrong':>6} {'slowest end, s':>15}")
    for name, (n, bad, slowest) in sums.items():
        print(f"{name:40} {n:5} {bad:6} {slowest:15.2f}")
    print(f"{opts.n} runs in {time.monotonic() - began:.0f} s, seed {opts.seed}: {opts.n - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
