"""A call of Docker's library as the line of the `docker` program that does the same.

containers.run("alpine", "ls /h", volumes={"/": {"bind": "/h"}})
    ->  docker run -v /:/h alpine ls /h
"""

from __future__ import annotations

from signoff.actions.code.services.call import ClientCall
from signoff.actions.code.spelling import quoted
from signoff.actions.code.value import UNKNOWN


def line_of_run(call: ClientCall) -> str:
    """Return the `docker run` line equivalent to a `containers.run` call."""
    volumes = call.named["volumes"].entries or () if "volumes" in call.named else ()
    words = ["docker", "run"]
    for path, place in volumes:
        inside = dict(place.entries or ()).get("bind")
        words += ["-v", f"{path}:{inside.shown if inside is not None else place.shown}"]
    if call.named.get("privileged", UNKNOWN).constant == 1:
        words.append("--privileged")
    image = call.arguments[0] if call.arguments else call.named.get("image", UNKNOWN)
    command = call.named.get("command", UNKNOWN)
    command = call.arguments[1] if len(call.arguments) > 1 else command
    line = " ".join(quoted(word) for word in (*words, image.shown))
    if command.items is not None:
        return f"{line} {' '.join(quoted(item.shown) for item in command.items)}"
    return f"{line} {command.text or ''}"
