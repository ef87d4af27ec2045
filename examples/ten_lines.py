"""A whole bot: any legal move, but the lowest card when it may choose among cards."""

from bots.sdk import Bot, View, main


class TenLines(Bot):
    def act(self, view: View) -> str:
        return min(view.legal, key=lambda action: "23456789TJQKA".find(action[5:6]))


if __name__ == "__main__":
    main(TenLines)
