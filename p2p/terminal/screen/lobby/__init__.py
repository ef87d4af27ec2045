"""What is on the screen before a game: the start page, hosting, finding a table, its terms, and the waiting room.

The pages draw and take keys; what they wish is done by `flow`, a task on trio that leads from one to the next.
"""
