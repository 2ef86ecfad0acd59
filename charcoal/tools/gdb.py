"""Activities of Charcoal in gdb: source this file, then `activities` and `activity N`."""

import gdb

STATES = ["new", "runnable", "waiting", "done"]


def listed():
    """The activities of this thread that are not done, the newest first."""
    try:
        it = gdb.parse_and_eval("charcoal_thread.newest")
    except gdb.error as error:
        raise gdb.GdbError(f"no activities here: {error}")
    while it:
        yield it
        it = it["older"]


def frames(activity):
    """Where each of its frames goes on, the innermost first."""
    frame = activity["top"].cast(gdb.lookup_type("struct charcoal_frame").pointer())
    while frame:
        yield frame["site"]["where"].string()
        frame = frame["next"]


def describe(number, activity):
    name = activity["name"].string() if activity["name"] else "(none)"
    running = activity == gdb.parse_and_eval("charcoal_thread.current")
    state = "running" if running else STATES[int(activity["state"])]
    place = next(frames(activity), None)
    return f"{number:4} {name} {state}" + (f" in {place}" if place else "")


class Activities(gdb.Command):
    """activities: those that are not done, the newest first."""

    def __init__(self):
        super().__init__("activities", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        for number, activity in enumerate(listed()):
            print(describe(number, activity))


class Activity(gdb.Command):
    """activity N: where the frames of one of them go on."""

    def __init__(self):
        super().__init__("activity", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not argument.isdigit():
            raise gdb.GdbError("activity N, with a number that `activities` lists")
        for number, activity in enumerate(listed()):
            if number == int(argument):
                print(describe(number, activity))
                for depth, place in enumerate(frames(activity)):
                    print(f"#{depth:<3} {place}")
                return
        raise gdb.GdbError(f"there is no activity {argument}")


Activities()
Activity()
