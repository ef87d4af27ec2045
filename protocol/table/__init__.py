"""The table's state machine, sans-IO: `rounds` is its transition table, `checks` what entries must prove, `table` what
they do, `answers` what this peer owes and how it proves it, `events` what happened."""
