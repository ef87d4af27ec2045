"""What `majlis arena` shows and asks for beyond playing (bots.arena): words, progress, and playing a log again."""
