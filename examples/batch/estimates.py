"""Reads the table of estimates of a batch, for the scripts of the examples."""
import csv
import math
import sys


def rows(path):
    """The lines of a table of estimates. Ends the program where it cannot be read."""
    try:
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        sys.exit(f"cannot read {path}: {error.strerror}; `gsim batch run` writes it")


def value_and_error(row):
    """The value of a line, and its standard error, infinite where the run was too short for one. Ends the program where there is
    no value."""
    value, error = float(row["value"]), float(row["standard_error"])
    if not math.isfinite(value) or math.isnan(error):
        sys.exit(f"{row['task']} has no {row['estimate']}, {row['row']}: {value} with the error {error}")
    return value, error
