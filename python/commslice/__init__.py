# SPDX-License-Identifier: BSD-3-Clause
"""Traces of commslice as numpy arrays: a package over libcommslice (commslice.h), which reads recorded, merged and folded traces.

    import commslice
    with commslice.open("heat.trace") as run:
        run.matrix()                  # bytes that each rank sends to each other one, ranks x ranks
        run.events(0)["sent"]         # a column of what rank 0 does, loops unrolled
        run.sites()                   # calls by the place in the program that makes them, most calls first
"""

from .run import EVENT, PAIR, Node, Run, Site, TraceError, open  # noqa: F401, A004

__all__ = ["EVENT", "PAIR", "Node", "Run", "Site", "TraceError", "open"]
