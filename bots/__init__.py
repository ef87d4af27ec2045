"""Players that are not people: how they are connected, what they are told, and how good they are.

At a table: `player` is whoever plays a seat and what the peer does about answers that are wrong, late or missing;
`external` does so for foreign programs, which `programs` reaches and `session` talks to; `transcript` keeps what was
said. `sdk` is all that the author of a bot in Python needs. Without a table: at the open one of `practice` nothing is
proved, and `talk` is what a seat hears there; so `check` tries foreign programs, `arena` and `strength` measure bots,
and `conversation` writes examples for authors. Our own bots are `builtin`, and `search` is how the better ones think.
"""
