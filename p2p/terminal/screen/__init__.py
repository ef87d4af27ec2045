"""The full screen: what most people meet Majlis by.

One way again: the peer's front (`player.ScreenTable`, on trio) makes *scenes*, values that hold what there is to see.
They go to the user interface (`ui.Ui` and its pages, in a thread of its own), which keeps what the person does with
them: cursor, lifted card, open panes. It draws on a `canvas.Canvas`: pure, a scene and a size in, lines of styled text
out. `app` puts these on the terminal with prompt_toolkit, and keys the other way: key -> page -> wish -> trio.
"""
