#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the cases of ends.cases and looks for what must be told. Each must end within a second or so, and leave a trace that reads.

Called by tests/faults_test.sh.
"""
import argparse, os, re, subprocess, sys, time

LIMIT = 2.0     # seconds from start to end, beyond five times what a run of as many ranks takes that ends well


def places(source):
    """@name -> file name and line."""
    found = {}
    for number, line in enumerate(open(source), 1):
        for name in re.findall(r"@(\w+) \*/", line):
            found[name] = rf"\S*{re.escape(os.path.basename(source))}:{number}"
    return found


def read_cases(path):
    cases = []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("\t"):
            cases[-1][2].append(line.strip())
        elif line and not line.startswith("#"):
            cases.append((line.split()[0], line.split()[1:], []))
    return cases


def check(text, expected, at):
    """What is missing, or should not be there."""
    for e in expected:
        pattern = re.sub(r"@(\w+)", lambda m: at[m.group(1)], e.lstrip("!"))
        if (re.search(pattern, text) is not None) == e.startswith("!"):
            yield f"{'must not say' if e.startswith('!') else 'does not say'}: {e}"


def run(opts, name, words, trace):
    ranks, options = words[0], words[1:]
    command = [opts.commslice, opts.verb, "-o", trace, "-n", ranks, "--engine", "emulate", *options] + (["--"] if opts.verb == "record" else [])
    began = time.monotonic()
    try:
        r = subprocess.run(command + [opts.program, name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=30,
                           env=dict(os.environ, COMMSLICE_PATIENCE="1"), stdin=subprocess.DEVNULL)
        return r.returncode, r.stdout, time.monotonic() - began
    except subprocess.TimeoutExpired as e:
        return None, (e.stdout or b"").decode(errors="replace"), time.monotonic() - began


def main():
    p = argparse.ArgumentParser(description=__doc__)
    for option in ("commslice", "program", "source", "cases", "work"):
        p.add_argument("--" + option, required=True)
    p.add_argument("--verb", default="record")
    opts = p.parse_args()
    at, failed, cases = places(opts.source), 0, read_cases(opts.cases)
    trace = os.path.join(opts.work, "T")
    for name, words, expected in cases:
        code, text, took = run(opts, name, words, trace)
        problems = list(check(text, expected, at))
        if code != 2:
            problems.append(f"exit status {code}, not 2")
        if took > LIMIT:        # on a machine that does other things as well, everything takes longer
            well = run(opts, "none", words, trace + ".well")[2]
            if took > LIMIT + 5 * well:
                problems.append(f"took {took:.1f} s, a run that ends well {well:.1f} s")
        info = subprocess.run([opts.commslice, "info", trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if info.returncode or not re.search(r"^ranks", info.stdout, re.M):
            problems.append("commslice info: " + info.stdout.strip()[-200:])
        for text_of in problems:
            print(f"FAIL  {name} {' '.join(words)}: {text_of}")
        if problems:
            print("      " + text.strip().replace("\n", "\n      "))
        failed += bool(problems)
    print(f"{len(cases) - failed} ends passed, {failed} failed ({opts.verb})")
    sys.exit(1 if failed else 0)


main()
