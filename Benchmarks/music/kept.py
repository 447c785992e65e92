"""What was measured already, so that a long measurement can be made in parts."""
import json, pathlib, time


class OutOfTime(Exception):
    """The rest has to be measured by another call."""


class Kept:
    """A file of lines of JSON for each kind of measurement; a line for each piece."""

    def __init__(self, folder, seconds):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.end = time.monotonic() + seconds
        self.kinds = {}

    def value(self, kind, name, make):
        """What is kept under a name, made when there is nothing yet."""
        path = self.folder / f"{kind}.jsonl"
        if kind not in self.kinds:
            lines = path.read_text().splitlines() if path.exists() else []
            self.kinds[kind] = dict(json.loads(line) for line in lines)
        known = self.kinds[kind]
        if name not in known:
            if time.monotonic() > self.end:
                raise OutOfTime
            known[name] = make()
            with path.open("a") as file:
                file.write(json.dumps([name, known[name]]) + "\n")
        return known[name]
