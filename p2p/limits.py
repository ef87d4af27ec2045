"""Every limit that a peer keeps towards the network, each with its reason.

The limits of a frame (4 KiB before authentication, 64 KiB after, nesting, items) belong to the format and
stand in `protocol.wire`; those of a game stand with the game. Times are in seconds, sizes in bytes.
"""

from __future__ import annotations

# Strangers: connections that have not proved a key yet.

AUTH_DEADLINE = 2.0
"""From the accepted connection to the finished authentication, TLS handshake included: four round trips, half
a second each on the worst line that one would still play cards over."""

STRANGERS_TOTAL = 32
"""Unauthenticated connections at once. At 2 s each this admits 16 guests a second, and costs at most 32 × 4
KiB."""

STRANGERS_PER_ADDRESS = 8
"""The same from one IPv4 address or one IPv6 /64 (a household gets a /64): a family of four behind one
router, or behind one relay, each dialling two addresses at once."""

PEERS_TOTAL = 64
"""Authenticated connections at once: four seats, their reconnects, and a room of spectators, each with an
outbox."""

# Peers: connections of the table's members.

OUTBOX_LIMIT = 16 * 1024 * 1024
"""What waits to be sent to one peer. Somebody who comes back is given the whole log at once, and the log of a
long evening has 3 to 6 MB; whoever lets more than twice that pile up has stopped reading."""

SEND_DEADLINE = 30.0
"""Longest time in which the other side may take no byte at all of a send: well above a Wi-Fi that comes
back."""

SEND_CHUNK = 64 * 1024
"""How much of the outbox is handed to TLS at once; it is also what SEND_DEADLINE is measured over."""

RECEIVE_CHUNK = 64 * 1024
"""How much is read at once. One frame of the longest kind, so that one peer cannot make us buffer more than
two."""

PING_INTERVAL = 5.0
"""A peer that has nothing to say pings this often. It also keeps the mapping of a home router alive (30 s on
the worst)."""

SILENCE_LIMIT = 20.0
"""A peer from whom nothing came for this long, four pings in a row, is gone: TCP alone would notice a pulled
cable only after many minutes, and "waiting for Amal" should show soon."""

CLOSE_DEADLINE = 1.0
"""How long a polite end (the rest of the outbox, TLS close) may take before the socket is simply closed.
Ctrl-C should not feel stuck."""

ENTRIES_PER_SECOND = 50
"""Log entries that one peer may add, sustained. A bot that plays at once makes about ten; a person, far less
than one."""

ENTRIES_BURST = 200
"""… and at once: after a break a peer re-sends what it had signed, at most one deal's worth."""

# Dialling.

DIAL_DEADLINE = 15.0
"""All addresses of an invite together. Slower than that, a person has already pressed Ctrl-C."""

DIAL_STAGGER = 0.25
"""Head start of each address before the next (RFC 8305 recommends 250 ms)."""

CLIENT_AUTH_DEADLINE = 10.0
"""How long a client waits for the host's side of the authentication; the host is friendlier to wait for than
a stranger."""

REDIAL_FIRST = 0.5
REDIAL_LONGEST = 20.0
"""Back-off after a cut connection: from half a second, doubling, never above twenty, so that a table whose
host was restarted is complete again within one breath."""

DEFAULT_PORT = 7070
"""Fixed, so that a port forwarded once stays right. Above 1023 (no privileges), below 32768 (where Linux, and
49152, where Windows and macOS take their outgoing ports), easy to say on the telephone, and not used by
anything common today."""

LISTEN_BACKLOG = 64
"""Connections that the system may hold ready for us: twice the strangers that we would serve."""

# Invites and text.

INVITE_TEXT_LIMIT = 4096
"""Longest text in which an invite is looked for: one line and the chat message around it."""

INVITE_ADDRESSES = 16
"""Most addresses of one invite: a laptop with Wi-Fi, cable and an overlay network has six. Keeps the line
below 1 kB."""

HOST_NAME_LENGTH = 253
"""Longest host name (RFC 1035)."""

CHAT_LENGTH = 500
"""Longest chat line, in characters after cleaning: a few sentences."""

NAME_LENGTH = 32
"""Longest player name, in characters after cleaning: what still fits over a hand of cards."""

# The store.

KEPT_LIMIT = 256 * 1024
"""Longest record of a table's own outbox file: an entry of 64 KiB and the private values that belong to
it."""

# The table.

SAME_MOMENT = 0.2
"""Answers that may be automatic or chosen (doubling, void declarations, returns) are never sent sooner than this after
the question: a bot's or an automatic answer looks the same whatever it is."""

CLOCK_TICK = 1.0
"""How often a peer looks whether a seat has been silent for too long."""

HOST_LAG = 8
"""Records by which a host's own peer may be behind the order: enough to look at answers that came together one after
the other while the next are written, far less than the last deal of a game has."""

UNSURE = 16
"""How many of the newest records are verified anew when a table is opened: a kill may have come between writing a
record and noting that it was found false, twice HOST_LAG at most."""

PLAYER_GOODBYE = 5.0
"""How long a player who is still busy may hold up the end of a game that is over."""

STALE_BYTES = 2_000_000
"""What a seat may write in one game that is out of place: it stays in everybody's log for ever. An honest seat writes a
few entries whenever another is lost, at most 10.4 kB each, and now and then a vote of 250 bytes that comes too late.
Entries are not counted one by one: whoever votes about others who are about to move could make honest seats, which say
that they wait, write hundreds of late votes."""

CHAT_BURST = 8
CHAT_PER_SECOND = 0.5
"""Lines of table talk that one player may send at once, and sustained: faster than people read. What is more is
dropped, not its author. All those who have no seat may send as many together: with an invite anybody can come back
under ever new keys."""

READY_BURST = 8
READY_PER_SECOND = 0.5
"""How often somebody may say that he is ready to begin, or not yet: every change is told to everybody. What is more is
dropped; he sees what the host knows of him, and can say it again."""

NOTICES_BURST = 8
NOTICES_PER_SECOND = 0.1
"""How often a host is told of strangers that were turned away: enough to see what goes wrong, too little to bury the
game."""

FAREWELL_DEADLINE = 10.0
"""How long a host waits after the game for guests that have not fetched its end."""

COMPANION_DEADLINE = 5.0
"""How long a bot's process may take to end before it is killed."""

COMPANION_RESTARTS = 3
"""How often a bot's process that broke down is started again; what fails four times fails a fifth time."""

COMPANION_REDIAL = 2.0
"""Longest pause between a bot's attempts to reach its host, which is on the same machine."""

PARTING_DEADLINE = 1.0
"""How long Ctrl-C waits for the good-bye to reach the others."""

COMPANION_PATIENCE = 600.0
"""How long a bot whose host was killed keeps dialling before it gives up: time enough for `majlis resume`."""

# The network around us: guests without an invite.

UNINVITED_TOTAL = 12
UNINVITED_PER_ADDRESS = 4
"""Guests who came by the beacon and have no seat, at once, in all and from one address: a room of people who look for a
table, none of whom can take every place for himself."""

UNINVITED_PATIENCE = 120.0
"""How long such a guest may take to ask for a seat: time to read which rules are played."""

ASKS_BURST = 6
ASKS_PER_SECOND = 1 / 60
"""How often one address may ask for a seat: whoever was refused comes back with another key, but not for ever."""

INVITED_ASKS_BURST = 16
INVITED_ASKS_PER_SECOND = 1 / 10
"""The same with the invite, where everybody asks: three friends behind one router, on a line that breaks, are let
through; who has a leaked invite and ever new keys cannot fill the host's screen."""
