# SPDX-License-Identifier: BSD-3-Clause
"""A run: its matrix, its events, its call sites, its loops. All that has a number for each rank, pair or event is a numpy array."""

import ctypes
import os
from collections import namedtuple

import numpy

from . import library

# A pair of ranks with messages from one to the other.
PAIR = numpy.dtype([("source", "i4"), ("dest", "i4"), ("messages", "u8"), ("bytes", "u8")])

# An event: `call` is a number for Run.call_name; dest and source are ranks of MPI_COMM_WORLD, -1 nobody, -2 not known, -3 any; tag is the
# least int64 where the call has none; enter and leave are ns since MPI_Init, 0 without times.
EVENT = numpy.dtype([("call", "i4"), ("line", "i4"), ("dest", "i4"), ("source", "i4"), ("comm_size", "i4"), ("tag", "i8"), ("sent", "i8"),
                     ("received", "i8"), ("times", "i8"), ("enter", "i8"), ("leave", "i8")])

# A call by the place that makes it, over all ranks; seconds are those in the call, 0 without times.
Site = namedtuple("Site", "call file line function ranks calls sent seconds")

# A node of the loop nest: a loop has `count` iterations of `body`, a list of nodes; a call has count 0 and the number of ranks that make it.
Node = namedtuple("Node", "count body call file line function ranks")

_FORMS = ("recorded", "merged", "folded")
_ABOUT = ("program", "arguments", "kind", "engine", "assumptions", "versions", "unrecorded")
_CHUNK = 1 << 16

_library = None


class TraceError(Exception):
    """A trace that cannot be read, with the file and the reason."""


def _lib():
    global _library
    if _library is None:
        _library = library.load()
    return _library


def _text(c):
    return None if c is None else c.decode("utf-8", "replace")


class Run:
    """An open trace; `with` closes it. A thread at a time uses it."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._why = ctypes.create_string_buffer(512)
        self._reader = _lib().cs_reader_open(os.fsencode(path), self._why, len(self._why))
        if not self._reader:
            raise self._error()
        self.ranks = _lib().cs_reader_ranks(self._reader)
        self.form = _FORMS[_lib().cs_reader_form(self._reader)]
        self.has_times = bool(_lib().cs_reader_has_times(self._reader))
        for number, name in enumerate(_ABOUT):
            setattr(self, name, _text(_lib().cs_reader_about(self._reader, number)))

    def close(self):
        """Closes the trace; nothing but this may be called then."""
        if self._reader:
            _lib().cs_reader_close(self._reader)
            self._reader = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_reader", None):
            self.close()

    def __repr__(self):
        return f"<{self.form} trace {self.path}: {self.ranks} ranks>"

    def _error(self):
        return TraceError(f"{self.path}: {_text(self._why.value)}")

    def _open(self):
        if not self._reader:
            raise TraceError(f"{self.path}: is closed")
        return self._reader

    def _check_rank(self, rank):
        if not 0 <= rank < self.ranks:
            raise IndexError(f"{self.path}: no rank {rank}, the run had ranks 0 to {self.ranks - 1}")

    def count(self, rank):
        """Events of a rank."""
        self._check_rank(rank)
        return _lib().cs_reader_events(self._open(), rank)

    def complete(self, rank):
        """Did the rank end in MPI_Finalize?"""
        self._check_rank(rank)
        return bool(_lib().cs_reader_complete(self._open(), rank))

    @staticmethod
    def call_name(number):
        """The name of an MPI call by its number in the column `call`."""
        return _text(_lib().cs_reader_call_name(int(number)))

    def _array(self, function, item):
        """The array that a function of the library makes, as ctypes has it, and what frees it."""
        start, n = ctypes.POINTER(item)(), ctypes.c_size_t()
        more = (None,) if function is _lib().cs_reader_matrix else ()
        if function(self._open(), ctypes.byref(start), ctypes.byref(n), *more, self._why, len(self._why)):
            raise self._error()
        return start, n.value

    def pairs(self):
        """Pairs of ranks with messages, by source, then destination: an array of PAIR."""
        start, n = self._array(_lib().cs_reader_matrix, library.Pair)
        try:
            buffer = ctypes.string_at(start, n * ctypes.sizeof(library.Pair))
        finally:
            _lib().cs_reader_free(start)
        return numpy.frombuffer(buffer, PAIR).copy()

    def matrix(self, what="bytes"):
        """ranks x ranks: bytes, or "messages", that row sends to column."""
        if what not in ("bytes", "messages"):
            raise ValueError(f'matrix of {what!r}: "bytes" or "messages"')
        out, pairs = numpy.zeros((self.ranks, self.ranks), "u8"), self.pairs()
        out[pairs["source"], pairs["dest"]] = pairs[what]
        return out

    def chunks(self, rank, unroll=True, size=_CHUNK):
        """The events of a rank in arrays of EVENT, `size` at a time, so that memory does not grow with the trace."""
        self._check_rank(rank)
        stream = _lib().cs_reader_stream_open(self._open(), rank, int(unroll))
        if not stream:
            raise MemoryError
        try:
            while True:
                columns = {name: numpy.empty(size, EVENT[name]) for name in EVENT.names}
                pointers = library.Columns(**{name: column.ctypes.data for name, column in columns.items()})
                n = _lib().cs_reader_stream_columns(stream, ctypes.byref(pointers), size)
                if n < 0:
                    raise TraceError(f"{self.path}: {_text(_lib().cs_reader_stream_error(stream))}")
                if n == 0:
                    return
                out = numpy.empty(n, EVENT)
                for name, column in columns.items():
                    out[name] = column[:n]
                yield out
        finally:
            _lib().cs_reader_stream_close(stream)

    def events(self, rank, unroll=True):
        """All events of a rank: an array of EVENT. Without `unroll`, what a loop repeats comes once, with how often in `times`."""
        parts = list(self.chunks(rank, unroll))
        return numpy.concatenate(parts) if parts else numpy.empty(0, EVENT)

    def frame(self, rank, unroll=True):
        """The same as a pandas DataFrame, with names of calls."""
        import pandas
        events = self.events(rank, unroll)
        frame = pandas.DataFrame({name: events[name] for name in EVENT.names})
        names = {number: self.call_name(number) for number in set(events["call"].tolist())}
        frame["call"] = frame["call"].map(names)
        return frame

    def sites(self):
        """Calls by the place in the program that makes them, most calls first: a list of Site."""
        start, n = self._array(_lib().cs_reader_sites, library.Site)
        try:
            return [Site(_text(s.call), _text(s.file), s.line, _text(s.function), s.ranks, s.calls, s.sent, s.ns * 1e-9)
                    for s in start[:n]]
        finally:
            _lib().cs_reader_free(start)

    def nest(self):
        """The run as one loop nest for all ranks: a list of Node, in which loops have lists of their own."""
        start, n = self._array(_lib().cs_reader_nest, library.Node)

        def nodes(at, end):
            out = []
            while at < end:
                node = start[at]
                out.append(Node(node.count, nodes(at + 1, at + 1 + node.body), _text(node.call), _text(node.file), node.line,
                                _text(node.function), node.ranks))
                at += 1 + node.body
            return out
        try:
            return nodes(0, n)
        finally:
            _lib().cs_reader_free(start)

    def classes(self):
        """The class of each rank: ranks of one class make the same calls, but for peers and other values that follow a rule."""
        out = numpy.empty(self.ranks, "i4")
        if _lib().cs_reader_classes(self._open(), out.ctypes.data, self._why, len(self._why)) < 0:
            raise self._error()
        return out


def open(path):  # noqa: A001 - as gzip.open
    """Opens a trace."""
    return Run(path)
