"""Pictures by matplotlib, which the package does not need otherwise."""
from __future__ import annotations

from typing import Any


def pyplot() -> Any:
    """matplotlib.pyplot, drawing into files without a display; None, after a message, where matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("matplotlib is not installed: no picture")
        return None
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot
