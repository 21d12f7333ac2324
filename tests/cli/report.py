#!/usr/bin/env python3
"""Checks the pages of `gsim report`; where Chromium is installed, as it draws them. usage: report.py GSIM"""
import base64
import html.parser
import json
import math
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check, checked_run  # noqa: E402

try:
    import h5py
    import numpy
except ImportError:
    h5py = None  # films are not tested

GSIM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]


def gsim(folder, *arguments, code=0):
    return checked_run([GSIM, *arguments], folder, code)


class Page(html.parser.HTMLParser):
    """The elements of a page, and the text of its script elements by id."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.current = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.current = dict(attributes).get("id", "") if tag == "script" else None

    def handle_endtag(self, tag):
        self.current = None

    def handle_data(self, data):
        if self.current is not None:
            self.scripts[self.current] = self.scripts.get(self.current, "") + data


def drawn(folder, name):
    """The page's elements after Chromium has run its program; None without Chromium."""
    browser = shutil.which("chromium")
    if browser is None:
        return None
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                           "--virtual-time-budget=10000", "--dump-dom", f"file://{folder / name}"],
                          capture_output=True, text=True, timeout=120)
    errors = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    check(not errors, "messages of the browser", *errors)
    return done.stdout


def data_of(path):
    return json.loads(Page(path.read_text()).scripts["data"])


def check_last_frame(frame):
    """The atoms of the frame are in its box and keep their distances, as those of a crystal do."""
    check((frame["file"], frame["step"], frame["atoms"], frame["shown"], frame["kinds"])
          == ("melt.h5md", 20, 256, 256, ["Ar"]), "the last frame", frame)
    check(base64.b64decode(frame["species"]) == bytes(256), "species")
    packed = struct.unpack("<768H", base64.b64decode(frame["positions"]))
    lengths = [frame["edges"][4 * a] for a in range(3)]
    low, high = frame["low"], frame["high"]
    check(all(0 <= low[a] and high[a] <= lengths[a] for a in range(3)), "bounds", low, high, lengths)
    atoms = [[low[a] + packed[3 * i + a] / 65535 * (high[a] - low[a]) for a in range(3)] for i in range(256)]

    def distance(p, q):
        return math.dist([0] * 3, [(p[a] - q[a] + lengths[a] / 2) % lengths[a] - lengths[a] / 2 for a in range(3)])

    nearest = [min(distance(p, q) for q in atoms if q is not p) for p in atoms]
    check(0.8 < min(nearest) and max(nearest) < 1.4, "distances of neighbours", min(nearest), max(nearest))


def write_film(path):
    """Fields on 4 x 3 x 2 cells at 50 times."""
    with h5py.File(path, "w") as f:
        group = f.create_group("VTKHDF")
        group.attrs["WholeExtent"] = numpy.array([0, 4, 0, 3, 0, 2])
        group.attrs["Origin"], group.attrs["Spacing"] = numpy.zeros(3), numpy.ones(3)
        group.create_dataset("CellData/heat", data=numpy.arange(50 * 24.0).reshape(50, 2, 3, 4))
        group.create_dataset("Steps/Values", data=numpy.arange(50.0))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    configs = ROOT / "configs"
    gsim(folder, "run", configs / "exposure/netting_sets.toml", "-q", "--set", "stop.samples=8192")
    gsim(folder, "run", configs / "risk/value_at_risk.toml", "-q", "--set", "stop.samples=1024")
    gsim(folder, "run", configs / "pricing/greeks.toml", "-q", "--set", "stop.samples=4096")
    gsim(folder, "run", configs / "transport/pu_sphere.toml", "-q", "--set", "transport.particles=1000", "--set", "transport.batches=40")
    gsim(folder, "plot", configs / "transport/pu_sphere.toml")
    gsim(folder, "batch", "run", ROOT / "examples/batch/study.toml", "-q")

    gsim(folder, "report", "results/netting_sets.h5")
    text = (folder / "results/netting_sets.html").read_text()
    page = Page(text)
    data = json.loads(page.scripts["data"])
    check(data[0]["tables"]["netting_sets"]["rows"] == 2, "data")
    names = [tag for tag, _ in page.tags]
    check("noscript" in names and "main" in names and "h1" in names, "parts of the page", names)
    check(not [a for tag, a in page.tags if tag in ("script", "img", "link", "iframe") and ("src" in a or "href" in a)],
          "files besides the page")
    check(not re.search(r"(?<!xmlns=\")https?://", text.replace(page.scripts["data"], "")), "addresses of a network")
    check("default-src 'none'" in text, "content security policy")

    # A name that would end the script element, or be HTML, is text.
    evil = "</script><img src=x onerror=alert(1)>"
    book = (configs / "pricing/greeks.toml").read_text().replace('id = "CALL"', f'id = "{evil}"')
    check(evil in book, "the trade")
    (folder / "evil.toml").write_text(book)
    gsim(folder, "run", "evil.toml", "-q", "--set", "stop.samples=4096")
    gsim(folder, "report", "results/evil.h5", "--title", evil)
    evil_page = Page((folder / "results/evil.html").read_text())
    check("img" not in [tag for tag, _ in evil_page.tags] and len(evil_page.scripts) == 2, "escaped names")

    text = gsim(folder, "report", "results/netting_sets.h5", "results/value_at_risk.h5", "results/greeks.h5",
                "results/pu_sphere.h5", "results/study", "results/evil.h5", "--output", "all.html", "--title", "All")
    check("13 results" in text, "the number of results", text)
    data = json.loads(Page((folder / "all.html").read_text()).scripts["data"])
    check([f["provenance"]["module"] for f in data][:5] == ["exposure", "risk", "pricing", "transport", "batch"], "order")
    check(len(data[3]["pictures"]) == 3, "pictures of the geometry")
    document = drawn(folder, "all.html")
    if document is not None:
        for caption in ("BANK: exposure through time", "gains in simulated scenarios", "multiplication factor by batch",
                        "pu_sphere.xy.png"):
            check(f"<figcaption>{caption}" in document, f"no picture `{caption}`")
        # A line of a study joins points that differ in one parameter alone.
        figure = re.search(r"<figure>(?:(?!<figure>).)*<figcaption>stress: trades/price SPX-C-100 against "
                           r"market.assets.SPX.spot<br>.*?</figcaption>", document, re.S)
        check(figure and "market.rate = 0.01" in figure[0] and "market.rate = 0.03" in figure[0]
              and ">price (currency)<" in figure[0], "the chart of a study")
        lines = re.findall(r'<polyline points="([^"]*)"', figure[0])
        check([len(line.split()) for line in lines] == [3, 3], "points of its lines", lines)
        # Numbers of rows of other tables are shown as their names.
        for table, name in (("sensitivities", "SPX volatility"), ("trades", "FUND")):
            rows = re.findall(rf'aria-label="{table}".*?<tbody>(.*?)</tbody>', document, re.S)
            check(any(f">{name}<" in row for row in rows), f"names in {table}", rows[:1])
        check(document.count('role="img"') > 10 and document.count("<tbody><tr>") > 15, "pictures and tables")
        check("onerror=alert(1)" not in re.sub(r"<script.*?</script>", "", document, flags=re.S).replace("&gt;", "")
              or "&lt;img" in document, "escaped names in tables")
        check("NaN" not in re.sub(r"<script.*?</script>", "", document, flags=re.S), "coordinates that are no numbers")

    # Tallies against places, and tables of other forms than gsim writes.
    duct = (configs / "transport/duct.toml").read_text()
    for old, new in (("particles = 5000", "particles = 300"), ("batches = 20", "batches = 4"),
                     ("iterations = 4, batches = 5, particles = 2000", "iterations = 1, batches = 2, particles = 300")):
        check(old in duct, "keys of duct.toml", old)
        duct = duct.replace(old, new)
    (folder / "duct.toml").write_text(duct)
    gsim(folder, "run", "duct.toml", "-q")
    gsim(folder, "run", configs / "md/melt.toml", "-q", "--set", "md.steps=20", "--set", "start.cells=[4,4,4]", "--set",
         "thermo.every=1", "--set", "thermo.from=0", "--set", "trajectory.0.every=10")
    if h5py is not None:
        write_film(folder / "results/melt.film.vtkhdf")
    gsim(folder, "report", "results/duct.h5", "results/netting_sets.h5", "results/melt.h5", "--output", "duct.html")
    data = data_of(folder / "duct.html")
    pictures = {p["name"]: p for p in data[0]["pictures"]}
    check(set(pictures) == {"duct.flux.png", "duct.error.png"}, "pictures", *pictures)
    check("#440154" in pictures["duct.flux.png"]["text"], "alternative text", pictures["duct.flux.png"]["text"])
    check(not list(folder.glob("results/duct.*.png")), "pictures beside the results")
    if h5py is not None:
        film = data[2]["pictures"][0]
        check(film["name"] == "melt.film.heat.apng" and "steps 0 to 49" in film["text"], "a film", film["name"], film["text"])
        check(base64.b64decode(film["data"].split(",")[1]).count(b"fcTL") == 30, "frames of the film")
    check(data[0]["problems"] == [] and data[1]["pictures"] == [] and data[1]["frames"] == [], "other pictures")
    check_last_frame(data[2]["frames"][0])
    document = drawn(folder, "duct.html")
    if document is not None:
        labels = re.findall(r'aria-label="(tallies/[^"]*)"', document)
        check(any(x.startswith("tallies/duct: flux: flux against y (cm), from 5 to 95") for x in labels)
              and any(x.startswith("tallies/across: flux: flux against x (cm), from 15 to 55") for x in labels)
              and any(x.startswith("tallies/shield: flux") for x in labels), "charts of tallies", *labels)
        check("<canvas" in document and "melt.h5md: last frame, step 20, 256 atoms" in document, "the last frame")
    page = (folder / "duct.html").read_text()
    odd = page.replace('"netting_sets":{"rows":2,"columns":{', '"netting_sets":{"rows":2,"columns":{"odd":null,', 1)
    check(odd != page, "an odd table")
    (folder / "odd.html").write_text(odd)
    document = drawn(folder, "odd.html")
    if document is not None:
        check("the table netting_sets cannot be drawn" in document and "<h3>trades</h3>" in document
              and 'aria-label="tallies/duct' in document, "parts beside one that fails")

    # What cannot be drawn is said on the page, and the rest is there. Files of other results are not on it.
    (folder / "results/melt.bad.h5md").write_text("no HDF5")
    (folder / "results/melt.folder.png").mkdir()
    for extension in ("h5", "h5md"):
        shutil.copy(folder / f"results/melt.{extension}", folder / f"results/melt.1.{extension}")
    if h5py is not None:
        with h5py.File(folder / "results/melt.film.vtkhdf", "a") as f:
            f.create_dataset("VTKHDF/CellData/bad", data=numpy.zeros(3))
    gsim(folder, "report", "results/melt.h5")
    data = data_of(folder / "results/melt.html")
    names = [frame["file"] for frame in data[0]["frames"]]
    check(names == ["melt.h5md"], "frames", *names)
    damaged = ["melt.film.bad"] * (h5py is not None) + ["melt.bad.h5md", "melt.folder.png"]
    check([text.split(" cannot be drawn")[0] for text in data[0]["problems"]] == damaged, "damaged files", *data[0]["problems"])
    check(h5py is None or [p["name"] for p in data[0]["pictures"]] == ["melt.film.heat.apng"], "a field beside a damaged one")

    # A module that draws no pictures needs no input files for the page.
    gsim(folder, "run", configs / "md/melt.toml", "-q", "--set", "md.steps=20", "--output", "results/on.h5", "--set",
         f'start={{ kind = "h5md", file = "{folder}/results/melt.1.h5md" }}')
    (folder / "results/melt.1.h5md").unlink()
    gsim(folder, "report", "results/on.h5")
    check(data_of(folder / "results/on.html")[0]["problems"] == [], "a missing input file")

    # Texts in place of numbers are not HTML.
    if h5py is not None:
        with h5py.File(folder / "results/on.h5", "a") as f:
            attributes = f["provenance"].attrs
            timing = re.sub(r'"min":[^,}]*', '"min":"<img src=x>"', numpy.asarray(attributes["timing"]).astype(str).item())
            check("<img" in timing, "timing")
            attributes["timing"] = timing
        gsim(folder, "report", "results/on.h5")
        document = drawn(folder / "results", "on.html")
        check(document is None or ('<img src="x">' not in document and "&lt;img src=x&gt;" in document), "HTML in provenance")
    gsim(folder, "report", "results/melt.h5", "results/duct.h5", "--no-pictures", "--output", "plain.html")
    data = data_of(folder / "plain.html")
    check(not any(f["pictures"] or f["frames"] or f["problems"] for f in data), "--no-pictures")

    # `gsim inspect` reads what the page shows.
    text = gsim(folder, "inspect", "all.html")
    check("module exposure, digest" in text and "  table trades: " in text and "  picture pu_sphere.xy.png" in text, "a page", text)
    check(json.loads(gsim(folder, "inspect", "all.html", "--json")) == data_of(folder / "all.html"), "the data of a page")
    check(gsim(folder, "inspect", "duct.html", "--csv", "netting_sets")
          == gsim(folder, "inspect", "results/netting_sets.h5", "--csv", "netting_sets"), "a table of a page")
    check("have a table `trades`" in gsim(folder, "inspect", "all.html", "--csv", "trades", code=2), "two tables")
    check("price" in gsim(folder, "inspect", "all.html", "--csv", "results/greeks.h5:trades"), "one of two tables")
    check("has no table" in gsim(folder, "inspect", "all.html", "--csv", "none", code=2), "no table")
    (folder / "other.html").write_text('<script type="application/json" id="data">[1]</script>')
    check("data are damaged" in gsim(folder, "inspect", "other.html", code=2), "data of another form")
    (folder / "other.html").write_text("<html></html>")
    check("not a page of" in gsim(folder, "inspect", "other.html", code=2), "another page")

    # Pages replace nothing but pages.
    for output in ("results/netting_sets.h5", "new.h5", "results"):
        check("cannot write the page" in gsim(folder, "report", "results/netting_sets.h5", "--output", output, code=2), output)
    (folder / "alias.html").symlink_to("results/netting_sets.h5")
    check("one of the results" in gsim(folder, "report", "results/netting_sets.h5", "--output", "alias.html", code=2), "alias")
    gsim(folder, "report", "results/netting_sets.h5", "--output", "none/page.html", code=1)
    gsim(folder / "results/study", "report", ".")
    check((folder / "results/study.html").exists() and not (folder / "results/..html").exists(), "the name of a folder")
    gsim(folder, "report", "results/study/../study/")
    check(not list(folder.rglob("*.partial")), "parts of pages are left")
    check("holds no results" in gsim(folder, "report", configs, code=2), "an empty folder")
    check("there is no such file" in gsim(folder, "report", "none.h5", code=2), "a missing file")
    check("not a result file" in gsim(folder, "report", "results/greeks.ckpt.1", code=2), "a checkpoint")
print("ok" if shutil.which("chromium") else "ok (without a browser)")
