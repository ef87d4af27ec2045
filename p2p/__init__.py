"""The programs: sockets, files and people.

`hosting` and `joining` are where a table begins, `tables` is how a command or the lobby asks for one, `sitting` the
evening at it, and `peer` the one place where connection, table and seat meet. `host` puts entries in order, `guest` is
the connection to one who does. Under them, `door`, `link`, `tls` and `lan` are the network, `store`, `journal` and
`files` the disk, and `limits` is all that the network is allowed. `recording`, `saving` and `replaying` are games
afterwards. For people: `cli` the commands, `terminal` the table, `language` every sentence. `arena` is what the
arena's command adds to `bots.arena`.
"""
