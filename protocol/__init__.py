"""What peers say to one another, sans-IO: bytes, time and chance are passed in; bytes and events come out.

From the outside in: `beacon` is how tables on a network are found, `handshake` the first messages of a connection,
`wire` the frames of all others and `messages` their schemas. `identity` is who signs, `log` what everybody signed, and
`table` the state machine that every peer runs over it; `deck` hides and proves the cards. `verify` checks a finished
log without any secret. `seat` is what a peer and whoever plays its seat say to each other, `rules` the options of a
table itself, `words` the lists of words for what people compare aloud. `errors` tells our mistakes from theirs.
"""
