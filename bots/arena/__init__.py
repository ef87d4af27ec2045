"""The arena measures bots: the same packs are played with them in every seat, so that luck with the cards cancels out.

`boards` says what is played and who sits where, `playing` plays one game, `pool` and `cluster` bring games to processes
and machines, `log` keeps what was played, `running` drives all that. `statistics` and `ratings` are pure functions over
the points; `results` puts a whole run together with them, and `report` and `plots` draw it as a page.
"""
