"""The searching bots: `quick` and `sharp`, `ismcts` for variety, and `cheater`, which sees all hands, for measuring.

What they share is a *core* that plays deals to their end very fast, without the engine's checks, views and history::

    tricks    a deal of tricks in mutable form, what may be played, and the loop that plays it out
    trix      the same for Trix
    policies  how a seat plays in that loop: take tricks, avoid them, take an exact number
    solve     endings of a few tricks, looked through completely
    points    what a finished deal is worth, from the engine's own numbers

and around it what makes a decision of a *view*::

    reading   what a view says, as sets of cards, and `deals` the deal it shows, ready to be played on
    worlds    hidden hands that fit everything played and proved; `guesses` how likely they are by what was called and
              played; `samples` both together, with what a declarer puts aside (`discards`)
    plays     which card: every legal one is played in every world, then the deal is played out
    ismcts    the same question by a tree search
    calls_*   everything else that a game asks: games, trumps, doubles, bids, estimates, gives, discards
    judgement what each action is worth, and how long one may think
    player    the bots

The rules are the engine's. Where the core states one again for speed, tests/properties compares them at every step.
"""
