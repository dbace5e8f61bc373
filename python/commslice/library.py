# SPDX-License-Identifier: BSD-3-Clause
"""The functions of libcommslice as ctypes has them, and where the library is: COMMSLICE_LIBRARY, beside this package, or where the linker looks."""

import ctypes
import os
from ctypes import POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p

NAME = "libcommslice.so.0"


class Pair(Structure):
    _fields_ = [("source", c_int32), ("dest", c_int32), ("messages", c_uint64), ("bytes", c_uint64)]


class Site(Structure):
    _fields_ = [("call", c_char_p), ("file", c_char_p), ("function", c_char_p), ("line", c_int32), ("ranks", c_int32),
                ("calls", c_uint64), ("sent", c_uint64), ("ns", c_int64)]


class Node(Structure):
    _fields_ = [("count", c_int64), ("body", c_int32), ("ranks", c_int32), ("call", c_char_p), ("file", c_char_p),
                ("function", c_char_p), ("line", c_int32)]


class Columns(Structure):
    """struct cs_reader_columns: pointers to the first elements of arrays, or None."""
    _fields_ = [(name, c_void_p) for name in ("call", "line", "dest", "source", "comm_size", "tag", "sent", "received", "times",
                                              "enter", "leave", "file")]


def _candidates():
    if os.environ.get("COMMSLICE_LIBRARY"):
        yield os.environ["COMMSLICE_LIBRARY"]
        return
    folder = os.path.dirname(os.path.abspath(__file__))
    for _ in range(6):  # PREFIX/lib/python3/dist-packages/commslice, or the like
        folder = os.path.dirname(folder)
        yield os.path.join(folder, NAME)
        yield os.path.join(folder, "lib", NAME)
    yield NAME


def load():
    """The library with the types of its functions; OSError says what is missing."""
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        break
    else:
        raise OSError(f"{NAME} is not found: set COMMSLICE_LIBRARY to its path")
    reader, stream, text = c_void_p, c_void_p, (c_char_p, c_size_t)
    for name, result, arguments in (
            ("cs_reader_open", reader, (c_char_p, *text)),
            ("cs_reader_close", None, (reader,)),
            ("cs_reader_form", c_int, (reader,)),
            ("cs_reader_ranks", c_int, (reader,)),
            ("cs_reader_has_times", c_int, (reader,)),
            ("cs_reader_events", c_int64, (reader, c_int)),
            ("cs_reader_complete", c_int, (reader, c_int)),
            ("cs_reader_about", c_char_p, (reader, c_int)),
            ("cs_reader_stream_open", stream, (reader, c_int, c_int)),
            ("cs_reader_stream_columns", c_int64, (stream, POINTER(Columns), c_int64)),
            ("cs_reader_stream_error", c_char_p, (stream,)),
            ("cs_reader_stream_close", None, (stream,)),
            ("cs_reader_call_name", c_char_p, (c_int,)),
            ("cs_reader_matrix", c_int, (reader, POINTER(POINTER(Pair)), POINTER(c_size_t), POINTER(c_uint64), *text)),
            ("cs_reader_sites", c_int, (reader, POINTER(POINTER(Site)), POINTER(c_size_t), *text)),
            ("cs_reader_nest", c_int, (reader, POINTER(POINTER(Node)), POINTER(c_size_t), *text)),
            ("cs_reader_classes", c_int, (reader, c_void_p, *text)),
            ("cs_reader_free", None, (c_void_p,))):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
