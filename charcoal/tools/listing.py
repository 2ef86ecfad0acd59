"""What gdb.py and lldb.py have in common: the activities of all threads, and where their frames go on."""

STATES = ["new", "runnable", "waiting", "done"]


class Reader:
    """Reads the program's memory. Pointers are numbers, and 0 is null; a debugger's own class says how."""

    def number(self, expression):
        """The value of an expression in C; raises ValueError where the program has no such thing."""
        raise NotImplementedError

    def text(self, address):
        """The string at an address."""
        raise NotImplementedError

    def field(self, kind, address, name):
        return self.number(f"(unsigned long)((struct {kind} *){address:#x})->{name}")


def chain(reader, kind, first, link):
    """What follows one another, from the first on."""
    while first:
        yield first
        first = reader.field(kind, first, link)


def activities(reader):
    """The activities that are not done, with the thread of each, the newest first."""
    first = reader.number("(unsigned long)charcoal_schedulers")
    for thread in chain(reader, "charcoal_thread", first, "next_scheduler"):
        newest = reader.field("charcoal_thread", thread, "newest")
        for activity in chain(reader, "charcoal_activity", newest, "older"):
            yield thread, activity


def frames(reader, activity):
    """Where each of its frames goes on, the innermost first."""
    first = reader.field("charcoal_activity", activity, "top")
    for frame in chain(reader, "charcoal_frame", first, "next"):
        site = reader.field("charcoal_frame", frame, "site")
        yield reader.text(reader.field("charcoal_site", site, "where"))


def describe(reader, number, thread, activity):
    name = reader.field("charcoal_activity", activity, "name")
    running = reader.field("charcoal_thread", thread, "current") == activity
    state = "running" if running else STATES[reader.field("charcoal_activity", activity, "state")]
    place = next(frames(reader, activity), None)
    return f"{number:4} {reader.text(name) if name else '(none)'} {state}" + (f" in {place}" if place else "")


def list_all(reader):
    """The lines of the command `activities`."""
    for number, (thread, activity) in enumerate(activities(reader)):
        yield describe(reader, number, thread, activity)


def list_one(reader, argument):
    """The lines of the command `activity N`; raises ValueError where there is none."""
    if not argument.strip().isdigit():
        raise ValueError("activity N, with a number that `activities` lists")
    for number, (thread, activity) in enumerate(activities(reader)):
        if number == int(argument):
            yield describe(reader, number, thread, activity)
            for depth, place in enumerate(frames(reader, activity)):
                yield f"#{depth:<3} {place}"
            return
    raise ValueError(f"there is no activity {argument.strip()}")
