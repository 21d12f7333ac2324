"""What a run reports while it lasts, read from the lines of `gsim run --log json`."""
from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    `fraction` is the part of the work that is done, of the most that it may become; a run with error targets may end
    earlier. `rate` is in `rate_unit`. Of the estimates with targets (`judged`), `converged` meet theirs; `worst` is the one
    that is farthest from its target, and `worst_error` its error, relative where `worst_is_relative`.
    """

    units: int
    total_units: int
    unit: str
    fraction: float
    rate: float
    rate_unit: str
    seconds_left: float | None
    judged: int = 0
    converged: int = 0
    worst: str | None = None
    worst_error: float | None = None
    worst_is_relative: bool = True

    def __str__(self) -> str:
        text = f"{self.fraction:6.1%}  {self.unit} {self.units} of {self.total_units}, {self.rate:.3g} {self.rate_unit}"
        if self.seconds_left is not None:
            text += f", {self.seconds_left:.0f} s left"
        if self.judged:
            text += f", {self.converged} of {self.judged} converged"
        if self.worst is not None and self.worst_error is not None:
            text += f", largest error {100 * self.worst_error:.2g} %" if self.worst_is_relative else f", {self.worst_error:.2g}"
            text += f" of {self.worst}"
        return text


@dataclass(frozen=True)
class Estimate:
    """An estimate that a run printed at its end: its mean and the standard error of it.

    `converged` says whether it meets its error target, and is None where it has none.
    """

    name: str
    value: float | None
    std_error: float | None
    samples: int
    unit: str
    converged: bool | None
    remark: str


class Log:
    """Collects the events of one run. `on_progress` is called with each Progress."""

    def __init__(self, on_progress: Callable[[Progress], object] | None = None) -> None:
        self.events: list[dict[str, Any]] = []
        self.estimates: list[Estimate] = []
        self.warnings: list[str] = []
        self.skipped: dict[str, str] = {}
        self.progress: Progress | None = None
        self.end: dict[str, Any] | None = None
        self.checkpoint: str | None = None
        self.status_file: str | None = None
        self._on_progress = on_progress
        self._start: dict[str, Any] = {}

    def read_line(self, line: str) -> None:
        """Takes one line of output; lines that are no events, such as those of a launcher, are left out."""
        if not line.startswith("{"):
            return
        try:
            event = json.loads(line)
        except ValueError:
            return
        self.events.append(event)
        kind = event.get("event")
        if kind == "start":
            self._restart(event)
        elif kind == "progress":
            self._report(event)
        elif kind == "estimate":
            self.estimates.append(_estimate(event))
        elif kind == "warning":
            self.warnings.append(event["message"])
        elif kind == "skipped":
            self.skipped[event["name"]] = event["reason"]
        elif kind == "checkpoint":
            self.checkpoint = event["path"]
        elif kind == "end":
            self.end = event
            self.checkpoint = event.get("checkpoint", self.checkpoint)
            self._report({"fraction": 1.0 if "result" in event else None, "seconds_left": 0.0, **event})

    def _restart(self, event: dict[str, Any]) -> None:
        """A job that was queued again begins its output again."""
        self._start = event
        self.status_file = event.get("status_file")
        self.estimates, self.end, self.skipped = [], None, {}

    def _report(self, event: dict[str, Any]) -> None:
        total = int(self._start.get("total_units", 0))
        fraction = event.get("fraction")
        if fraction is None:
            fraction = event["units"] / total if total else 0.0
        targets = event.get("targets") or {}
        is_relative = "worst_relative_error" in targets
        self.progress = Progress(
            units=event["units"], total_units=total, unit=self._start.get("unit", "unit"), fraction=fraction,
            rate=event["rate"] or 0.0, rate_unit=event["rate_unit"], seconds_left=event.get("seconds_left"),
            judged=targets.get("judged", 0), converged=targets.get("converged", 0), worst=targets.get("worst"),
            worst_error=targets.get("worst_relative_error" if is_relative else "worst_absolute_error"),
            worst_is_relative=is_relative)
        if self._on_progress is not None:
            self._on_progress(self.progress)


def _estimate(event: dict[str, Any]) -> Estimate:
    return Estimate(event["name"], event["mean"], event["standard_error"], event["count"], event["unit"],
                    event["converged"], event["remark"])
