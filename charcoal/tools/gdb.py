"""Activities of Charcoal in gdb: source this file, then `activities` and `activity N`."""

import os
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import listing  # noqa: E402


class Reader(listing.Reader):
    def number(self, expression):
        try:
            return int(gdb.parse_and_eval(expression))
        except gdb.error as error:
            raise ValueError(f"no activities here: {error}") from error

    def text(self, address):
        return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()


def show(lines):
    try:
        for line in lines:
            print(line)
    except ValueError as error:
        raise gdb.GdbError(str(error)) from error


class Activities(gdb.Command):
    """activities: those that are not done, the newest first."""

    def __init__(self):
        super().__init__("activities", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        show(listing.list_all(Reader()))


class Activity(gdb.Command):
    """activity N: where the frames of one of them go on."""

    def __init__(self):
        super().__init__("activity", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        show(listing.list_one(Reader(), argument))


Activities()
Activity()
