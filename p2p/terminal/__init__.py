"""How a table is shown to a person, and what he types: pure text for all fronts, and the two fronts.

`words` is what happened, `facts` what one must know when asked, `choices` what may be done and `typed` how that is read
back, `standing` how things stand, `lookups` and `plot` the rest, `narrator` who tells it as it happens. `adviser` works
out hints, and `advice` words them. `front` is what a front must be able to do: `lines` does it on a `console`, `screen`
on the full screen.
"""
