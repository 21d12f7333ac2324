"""What the scripts of the examples share: their argument, and the table of estimates of a batch."""
import csv
import math
import pathlib
import sys


def count_argument(name, default, least, most):
    """The only argument of the program, a whole number. Ends the program with its exit code for wrong input where it is another."""
    arguments = sys.argv[1:]
    if not arguments:
        return default
    text = arguments[0]
    if len(arguments) == 1 and text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    given = " ".join(repr(argument) for argument in arguments)
    print(f"{pathlib.Path(sys.argv[0]).name} takes {name}, one whole number from {least} to {most} (default: {default}), not {given}",
          file=sys.stderr)
    sys.exit(2)


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
