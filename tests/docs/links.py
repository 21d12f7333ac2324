#!/usr/bin/env python3
"""Checks rules for all documents: links, headings, files, types and functions that they name exist, all rows of a
table have the same number of cells, pictures are small and have alternative text, and the README is short. usage: links.py"""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README_LINES, PICTURE_BYTES = 150, 40_000


def documents():
    return [p for p in sorted(ROOT.rglob("*.md"))
            if not any(part.startswith((".", "build")) for part in p.relative_to(ROOT).parts)]


def without_code(text):
    """The text without fenced blocks and inline code."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors_of(path):
    """The anchors of a document's headings, as GitHub forms them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ +(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


@functools.cache
def source_identifiers():
    """All identifiers of the source tree."""
    identifiers = set()
    for folder in ("include", "src", "kernels", "scripts/cmake", "tests", "examples", "validation"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".hpp", ".cpp", ".cu", ".cmake", ".py", ".txt"):
                identifiers.update(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8", errors="ignore")))
    return identifiers


def unknown_names(code):
    """Types and functions that inline code names and that occur in no source."""
    names = re.findall(r"\b[A-Z][a-z0-9]+[A-Z]\w*\b(?!\.)", code) + re.findall(r"\b([a-z]\w+)\(\)", code)
    return [name for name in names if name not in source_identifiers() and name != "CamelCase"]


def is_missing(name, folder):
    """Whether inline code looks like a path of the source tree but exists neither below the root nor below `folder`."""
    if re.fullmatch(r"gsim/[a-z_0-9/]+\.hpp", name):
        return not (ROOT / "include" / name).exists()
    if not re.fullmatch(r"(src|include|kernels|tests|scripts|validation|examples|configs)/[a-z_0-9./-]+", name):
        return False
    return not any((start / name).exists() for start in (ROOT, folder))


def errors_in(path):
    """Yields the broken rules of a document."""
    text = path.read_text(encoding="utf-8")
    for label, target in re.findall(r"\[([^\]]*)\]\(([^)]+)\)", without_code(text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        linked = (path.parent / name).resolve() if name else path
        if not linked.exists():
            yield f"links to {target}, which does not exist"
        elif anchor and anchor not in anchors_of(linked / "README.md" if linked.is_dir() else linked):
            yield f"links to {target}: there is no such heading"
        elif linked.suffix == ".svg" and not label.strip():
            yield f"shows {target} without alternative text"
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    is_changelog = path.name == "CHANGELOG.md"  # a change log also names parts that were removed
    for name in [] if is_changelog else re.findall(r"`([^`\n]+)`", prose):
        for unknown in [name] if is_missing(name, path.parent) else unknown_names(name):
            yield f"names {unknown}, which does not exist"
    columns = None
    for number, line in enumerate(text.splitlines(), 1):
        count = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", lambda m: m[0].replace("\\|", ""), line)))
        if not line.startswith("|"):
            columns = None
        elif columns is None:
            columns = count
        elif count != columns:
            yield f"has a row of {count - 1} cells in a table of {columns - 1} in line {number}"


def main():
    failures = [f"{path.relative_to(ROOT)} {what}" for path in documents() for what in errors_in(path)]
    if len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) > README_LINES:
        failures.append(f"README.md has more than {README_LINES} lines")
    pictures = sorted(ROOT.glob("configs/*/figures/*.svg"))
    all_documents = "".join(path.read_text(encoding="utf-8") for path in documents())
    for picture in pictures:
        text = picture.read_text(encoding="utf-8")
        if len(text) > PICTURE_BYTES:
            failures.append(f"{picture.relative_to(ROOT)} has more than {PICTURE_BYTES} bytes")
        if "<title>" not in text or "<desc>" not in text or "prefers-color-scheme:dark" not in text:
            failures.append(f"{picture.relative_to(ROOT)} lacks a title, a description or colours for dark pages")
        if f"figures/{picture.name}" not in all_documents:
            failures.append(f"{picture.relative_to(ROOT)} is shown in no document")
    print(f"{len(documents())} documents, {len(pictures)} pictures")
    for line in failures:
        print(f"FAILED: {line}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
