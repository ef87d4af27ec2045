"""Is a foreign bot fit to sit at a table? A conformance run that tells its author exactly what to mend.

`questions` are the situations that every bot is asked about, the same for all; `interview` talks to one run of the
program; `trials` are what is tried, in order; `findings` what came of it; `leaks` looks whether our own messages tell a
bot what it must not know. `majlis bot check` (p2p.cli.bots) puts the findings into sentences.
"""
