"""The bot that plays any legal action, each as likely as the others: a measure for all other bots."""

from __future__ import annotations

from bots.sdk import Bot, View


class Random(Bot):
    """Uniform over the legal actions, with its own seed."""

    name = "random"

    def act(self, view: View) -> str:
        """Any legal action."""
        return self.random.choice(view.legal)
