"""What can go wrong, kept in two families that are never confused.

*Ours* (`Misuse`): this program called something wrongly. A bug; it is allowed to show a traceback.

*Theirs* (`Refused`): something that a peer sent does not fit. Every function whose name ends in `_untrusted` raises
these and nothing else, whatever bytes it is given. A refusal carries the id of a sentence and the sentence's values;
`p2p.language` turns it into words in the reader's language. `BadProof` is evidence of cheating; `Stale` is innocent
(an entry that no longer fits where the host placed it); `Malformed` is bytes that no honest program writes.
"""

from __future__ import annotations

from dataclasses import dataclass, field


class Misuse(Exception):
    """We used our own code wrongly."""


@dataclass(eq=False)
class Refused(Exception):
    """A peer's bytes, entry or action was refused.

    `code` is the sentence's id (for example ``frame-too-long``), `values` what its placeholders stand for. Never put a
    secret into `values`: they are shown and logged.
    """

    code: str
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        told = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.code}({told})" if told else self.code


class Malformed(Refused):
    """Bytes that no honest program sends: wrong length, wrong type, a point that is not on the curve."""


class Stale(Refused):
    """A well-made entry that no longer fits the state where it stands. Innocent; dropped."""


class BadProof(Refused):
    """A signed entry whose proof is false, or whose content breaks a rule: evidence against its author."""


class Forked(BadProof):
    """Two signatures of one author, or of one host and term, over different content for the same place."""
