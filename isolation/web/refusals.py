"""What clients are told when something is refused. Code and params are the protocol."""

from typing import Any

from isolation.rooms.errors import Refused


def error_of(refusal: Refused) -> dict[str, Any]:
    params = {name: value for name, value in refusal.details.items() if name != "snapshot"}
    error = {"code": refusal.code, "params": params, "message": refusal.message}
    return {**error, "seconds": params["seconds"]} if "seconds" in params else error
