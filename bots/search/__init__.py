"""The searching bots: `quick` and `sharp`, `ismcts` for variety, and `cheater`, which sees all hands, for measuring.

What they share is a *core* that plays deals to their end very fast, without the engine's checks, views and history::

    tricks    a deal of tricks in mutable form, what may be played, and the loop that plays it out
    trix      the same for Trix
    policies  how a seat plays in that loop: take tricks, avoid them, take an exact number
    solve     endings of a few tricks, looked through completely
    points    what a finished deal is worth, from the engine's own numbers

and around it what makes a decision of a *view*::

    reading   what a view says, as sets of cards
    worlds    hidden hands that fit everything played and proved, as likely as the calls make them
    plays     which card: every legal one is played in every world, then the deal is played out
    calls_*   everything else that a game asks: games, trumps, doubles, bids, estimates, gives, discards

The rules are the engine's. Where the core states one again for speed, tests/properties compares them at every step.
"""
