"""``python -m p2p.cli``: the same as the `majlis` command."""

from p2p.cli import main

main()
