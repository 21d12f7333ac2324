"""Plots as small SVG text files that are readable on light and on dark pages: lines, points with error bars, colour maps."""
import html
import math

# The colours of Okabe and Ito, darkened on light pages and lightened on dark ones until text in them is readable.
LIGHT = ("#0072b2", "#c04a00", "#007a57", "#a3447e", "#57606a")
DARK = ("#58b4f0", "#ff9d4d", "#35c99b", "#e79bc8", "#9aa4af")


def colour_rules(colours):
    return "".join(f".l.c{i},.e.c{i}{{stroke:{c}}}.p.c{i},.n.c{i}{{fill:{c}}}" for i, c in enumerate(colours))


# Classes of elements: t title, s small text, bg background, fr frame, gr grid line, l line, d dashed line, e error bar,
# p point, n label of a line or of points; c0 to c4 are the colours.
STYLE = ('text{font:12px "DejaVu Sans",Verdana,sans-serif;fill:#1f2328}text.t{font-weight:bold}text.s{font-size:11px}'
         ".bg{fill:#fff}.fr{fill:none;stroke:#57606a}.gr{stroke:#d0d7de;stroke-width:.6}"
         ".l{fill:none;stroke-width:1.6;stroke-linejoin:round}.d{stroke-dasharray:5 4}.e{stroke-width:1.3}"
         + colour_rules(LIGHT) +
         "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.bg{fill:#0d1117}.fr{stroke:#8b949e}.gr{stroke:#30363d}"
         + colour_rules(DARK) + "}")
# viridis at equal steps (S. van der Walt and N. Smith, 2015; CC0)
VIRIDIS = ("440154 482878 3e4a89 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725").split()


def viridis(x):
    """The colour of a number from 0 to 1, interpolated linearly between the listed ones."""
    x = min(max(x, 0.0), 1.0) * (len(VIRIDIS) - 1)
    i = min(int(x), len(VIRIDIS) - 2)
    low, high = (tuple(int(VIRIDIS[k][j:j + 2], 16) for j in (0, 2, 4)) for k in (i, i + 1))
    return "#" + "".join(f"{round(a + (b - a) * (x - i)):02x}" for a, b in zip(low, high))


def pixels(x):
    """A coordinate in pixels with one decimal at most."""
    return f"{x:.1f}".rstrip("0").rstrip(".")


def label_of(x):
    if x == 0:
        return "0"
    if 1e-3 <= abs(x) < 1e5:
        return f"{x:.10g}"
    exponent = math.floor(math.log10(abs(x)) + 1e-9)
    return f"{x / 10**exponent:.3g}e{exponent}"


def linear_ticks(low, high, count=6):
    raw = (high - low) / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw)
    first = math.ceil(low / step - 1e-9)
    ticks = []
    while (first + len(ticks)) * step <= high + 1e-9 * step:
        ticks.append(round((first + len(ticks)) * step, 12))
    return ticks


def log_ticks(low, high):
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    every = max(1, math.ceil((last - first) / 7))
    return [10.0**k for k in range(first, last + 1, every)]


class Axis:
    """A linear or logarithmic map of the numbers `low` to `high` to the pixels `start` to `end`."""

    def __init__(self, low, high, name, log=False, ticks=None):
        self.low, self.high, self.name, self.log = low, high, name, log
        self.ticks = ticks or (log_ticks(low, high) if log else linear_ticks(low, high))
        self.start, self.end = 0.0, 1.0

    def at(self, x):
        if self.log:
            part = math.log(x / self.low) / math.log(self.high / self.low)
        else:
            part = (x - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)


class Plot:
    """One pair of axes in a picture; `left`, `top`, `width` and `height` are those of its frame in pixels."""

    def __init__(self, picture, left, top, width, height, x, y, title=""):
        self.picture, self.x, self.y = picture, x, y
        self.left, self.top, self.width, self.height = left, top, width, height
        x.start, x.end, y.start, y.end = left, left + width, top + height, top
        for tick in x.ticks:
            at = x.at(tick)
            picture.add(f'<path class="gr" d="M{pixels(at)} {top}v{height}"/>')
            picture.text(at, top + height + 16, label_of(tick), "s", "middle")
        for tick in y.ticks:
            at = y.at(tick)
            picture.add(f'<path class="gr" d="M{left} {pixels(at)}h{width}"/>')
            picture.text(left - 6, at + 4, label_of(tick), "s", "end")
        picture.add(f'<rect class="fr" x="{left}" y="{top}" width="{width}" height="{height}"/>')
        picture.text(left + width / 2, top + height + 34, x.name, "", "middle")
        picture.add(f'<text transform="translate({left - 46} {top + height / 2})rotate(-90)" '
                    f'text-anchor="middle">{html.escape(y.name)}</text>')
        if title:
            picture.text(left, top - 10, title, "t")

    def line(self, xs, ys, colour, dashed=False):
        points = "L".join(f"{pixels(self.x.at(a))} {pixels(self.y.at(b))}" for a, b in zip(xs, ys))
        self.picture.add(f'<path class="l c{colour}{" d" if dashed else ""}" d="M{points}"/>')

    def points(self, xs, ys, colour, errors=None, radius=3):
        for i, (a, b) in enumerate(zip(xs, ys)):
            if errors is not None:
                low = max(b - errors[i], self.y.low)
                high = min(b + errors[i], self.y.high)
                self.picture.add(f'<path class="e c{colour}" d="M{pixels(self.x.at(a))} {pixels(self.y.at(low))}'
                                 f'V{pixels(self.y.at(high))}"/>')
            self.picture.add(f'<circle class="p c{colour}" cx="{pixels(self.x.at(a))}" cy="{pixels(self.y.at(b))}" '
                             f'r="{radius}"/>')

    def label(self, x, y, text, colour, anchor="start"):
        """A label at (x, y), in units of the axes, in the colour of the line or points that it names."""
        self.picture.text(self.x.at(x), self.y.at(y), text, f"s n c{colour}", anchor)

    def map(self, xs, ys, values, low, high, log=False, levels=64):
        """Colours of cells with edges xs, ys; values[j][i] belongs to xs[i..i+1] and ys[j..j+1], no colour where a value is NaN."""
        paths = {}
        for j, row in enumerate(values):
            top, bottom = self.y.at(ys[j + 1]), self.y.at(ys[j])
            i = 0
            while i < len(row):
                level = self.level(row[i], low, high, log, levels)
                end = i + 1
                while end < len(row) and self.level(row[end], low, high, log, levels) == level:
                    end += 1
                if level is not None:
                    left, right = self.x.at(xs[i]), self.x.at(xs[end])
                    paths.setdefault(level, []).append(
                        f"M{pixels(left)} {pixels(top)}H{pixels(right)}V{pixels(bottom)}H{pixels(left)}")
                i = end
        for level, parts in sorted(paths.items()):
            self.picture.add(f'<path fill="{viridis(level / (levels - 1))}" shape-rendering="crispEdges" '
                             f'd="{"".join(parts)}"/>')
        self.picture.add(f'<rect class="fr" x="{self.left}" y="{self.top}" width="{self.width}" '
                         f'height="{self.height}"/>')

    @staticmethod
    def level(value, low, high, log, levels):
        if value != value or (log and value <= 0):
            return None
        part = math.log(value / low) / math.log(high / low) if log else (value - low) / (high - low)
        return min(max(round(part * (levels - 1)), 0), levels - 1)

    def colour_bar(self, low, high, name, log=False):
        """A colour bar beside the frame, with ticks and the name of the quantity."""
        left, width, steps = self.left + self.width + 14, 14, 32
        axis = Axis(low, high, name, log)
        axis.start, axis.end = self.top + self.height, self.top
        for k in range(steps):
            top = self.top + self.height * (steps - 1 - k) / steps
            self.picture.add(f'<rect fill="{viridis(k / (steps - 1))}" x="{left}" y="{pixels(top)}" width="{width}" '
                             f'height="{pixels(self.height / steps + 0.5)}"/>')
        self.picture.add(f'<rect class="fr" x="{left}" y="{self.top}" width="{width}" height="{self.height}"/>')
        for tick in axis.ticks:
            self.picture.text(left + width + 4, axis.at(tick) + 4, label_of(tick), "s")
        self.picture.add(f'<text transform="translate({left + width + 52} {self.top + self.height / 2})rotate(-90)" '
                         f'text-anchor="middle">{html.escape(name)}</text>')


class Picture:
    """An SVG file; `title` and `description` are its alternative text."""

    def __init__(self, width, height, title, description):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" role="img"><title>{html.escape(title)}</title>'
                      f'<desc>{html.escape(description)}</desc><style>{STYLE}</style>'
                      f'<rect class="bg" width="{width}" height="{height}"/>']

    def add(self, part):
        self.parts.append(part)

    def text(self, x, y, text, style="", anchor="start"):
        name = f' class="{style}"' if style else ""
        where = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.add(f'<text x="{pixels(x)}" y="{pixels(y)}"{name}{where}>{html.escape(text)}</text>')

    def save(self, path):
        text = "\n".join(self.parts) + "\n</svg>\n"
        if len(text) > 40_000:
            raise SystemExit(f"{path}: {len(text)} bytes, more than the 40 kB that a picture may have")
        path.write_text(text, encoding="utf-8")
