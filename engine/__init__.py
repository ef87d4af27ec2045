"""The rules of the games, and nothing else: no clock, no chance, no sockets, no files; the standard library only.

`cards` and `actions` are the words, `game` is the contract that every game fulfils, `tricks` the duties that trick
games share, `knowledge` what the public can tell about a hidden hand, `referee` a table that sees every card (for
records, bots in training and tests), `record` games as text that replays, `standin` the rule that plays an abandoned
hand, `games` the games themselves, `exchange` and `kitty` what Isti'mar and 3-5-8 share.
"""
