"""How this program starts itself again, as another process: a bot beside a host, the maker of a record, a demo's host.

Modules are not looked for in the folder that somebody happens to be in (``-P``): a file there called like a module of
ours, in a folder of downloads, say, would be run.
"""

from __future__ import annotations

import sys

OWN_COMMAND = (sys.executable, "-P", "-m", "p2p.cli")
"""What stands before the arguments of `majlis`."""

INVITE_VARIABLE = "MAJLIS_INVITE"
"""In whose environment a bot beside a host finds the invite: everybody on a machine can read command lines."""
