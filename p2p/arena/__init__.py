"""What `majlis arena` adds to `bots.arena`: words, progress, proved games, and playing a log again."""
