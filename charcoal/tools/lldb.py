"""Activities of Charcoal in lldb: `command script import` this file, then `activities` and `activity N`."""

import importlib.util
import os

# This file has the name of lldb's own module, so it looks for its neighbour by path.
_spec = importlib.util.spec_from_file_location(
    "charcoal_listing", os.path.join(os.path.dirname(os.path.abspath(__file__)), "listing.py"))
listing = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(listing)

LONGEST = 4096


class Reader(listing.Reader):
    def __init__(self, debugger):
        self.target = debugger.GetSelectedTarget()
        self.process = self.target.GetProcess()

    def number(self, expression):
        value = self.target.EvaluateExpression(expression)
        if not value.GetError().Success():
            raise ValueError(f"no activities here: {value.GetError()}")
        return value.GetValueAsUnsigned()

    def text(self, address):
        import lldb

        return self.process.ReadCStringFromMemory(address, LONGEST, lldb.SBError())


def show(result, lines):
    try:
        for line in lines:
            result.AppendMessage(line)
    except ValueError as error:
        result.SetError(str(error))


def activities(debugger, argument, result, session):
    """activities: those that are not done, the newest first."""
    show(result, listing.list_all(Reader(debugger)))


def activity(debugger, argument, result, session):
    """activity N: where the frames of one of them go on."""
    show(result, listing.list_one(Reader(debugger), argument))


def __lldb_init_module(debugger, session):
    for name in ("activities", "activity"):
        debugger.HandleCommand(f"command script add -f {__name__}.{name} {name}")
