"use strict";
// Draws the results that the page holds (the element #data, as `gsim inspect --json` prints them).
const files = JSON.parse(document.getElementById("data").textContent);
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeText = text => String(text).replace(/[&<>"']/g, c => escapes[c]);

// ---- numbers and names

function formatNumber(x, digits = 7) {
  if (x === null || x === undefined) return "–";
  if (typeof x !== "number") return String(x);
  if (Number.isInteger(x) && Math.abs(x) < 1e15) return String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e9)) return x.toExponential(Math.max(digits - 3, 1));
  return String(Number(x.toPrecision(digits)));
}
function formatWithError(value, error) {
  if (typeof value !== "number" || typeof error !== "number" || !(error > 1e-11 * Math.abs(value))) return formatNumber(value);
  const decimals = Math.max(0, Math.min(15, 1 - Math.floor(Math.log10(error))));
  if (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e9)
    return `${formatNumber(value, 6)} ± ${error.toExponential(1)}`;
  return `${value.toFixed(decimals)} ± ${error.toFixed(decimals)}`;
}
const inWords = name => name.replace(/_/g, " ");

// The column with the standard errors of `name`: gsim's naming convention.
function errorColumn(columns, name) {
  for (const error of [`${name}_error`, `${name}_standard_error`, `error_of_${name}`]) if (error in columns) return error;
  return ["price", "value", "mean"].includes(name) && "standard_error" in columns ? "standard_error" : null;
}
// The types of datasets by their paths: "float64", "int64", "string", …
const typesOf = file => Object.fromEntries(file.datasets.map(d => [d.path, d.type]));
function attributesOf(file) {
  const attributes = {};
  for (const dataset of file.datasets) attributes[dataset.path] = dataset.attributes || {};
  return attributes;
}

// ---- charts, as SVG

// In units of their text: fewer on a phone, where they are smaller and their text is not.
const widthOfPictures = window.innerWidth < 600 ? 400 : 640;

function ticks(low, high, logarithmic) {
  if (logarithmic) {
    const list = [];
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
    const step = Math.max(1, Math.ceil((to - from) / 6));
    for (let power = from; power <= to; power += step) list.push(10 ** power);
    const inside = list.filter(x => x >= low * 0.999 && x <= high * 1.001);
    if (inside.length > 1) return inside;
    if (high / low < 5) return ticks(low, high, false);
    const finer = [];
    for (let power = from - 1; power <= to; ++power) for (const factor of [1, 2, 5]) finer.push(factor * 10 ** power);
    return finer.filter(x => x >= low * 0.999 && x <= high * 1.001);
  }
  const rough = (high - low) / (widthOfPictures < 600 ? 4 : 5), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + step * 1e-9; ++k) list.push(k * step);
  return list;
}
function extent(lists, logarithmic) {
  let low = Infinity, high = -Infinity;
  for (const list of lists)
    for (const x of list)
      if (typeof x === "number" && isFinite(x) && (!logarithmic || x > 0)) { low = Math.min(low, x); high = Math.max(high, x); }
  if (!(low <= high)) return null;
  if (low === high) { const pad = Math.abs(low) * 0.05 || 1; return logarithmic ? [low / 2, low * 2] : [low - pad, high + pad]; }
  return [low, high];
}

/* Lines, bars or points: { title, x: label, y: label, logx, logy, bars, points, marks: [{x, name}],
   series: [{ name, x: [], y: [], error: [] }] }. Returns HTML, or "" without data. */
function chart(c) {
  const width = widthOfPictures, height = Math.round(0.35 * width) + 136, left = 78, right = 16, top = 14, bottom = 46;
  const bounds = c.series.map(s => s.error ? s.y.flatMap((y, i) => [y - (s.error[i] || 0), y + (s.error[i] || 0)]) : s.y);
  const xs = extent([...c.series.map(s => s.x), (c.marks || []).map(m => m.x)], c.logx);
  const ys = extent(c.bars ? [...bounds, [0]] : bounds, c.logy);
  if (!xs || !ys) return "";
  if (c.bars) {  // the first and the last one as a whole
    const apart = c.series.flatMap(s => s.x.slice(1).map((x, i) => Math.abs(x - s.x[i]))).filter(d => d > 0);
    const half = apart.length ? Math.min(...apart) / 2 : 0;
    xs[0] -= half; xs[1] += half;
  }
  if (!c.logy) { const pad = (ys[1] - ys[0]) * 0.05; if (!c.bars || ys[0] < 0) ys[0] -= pad; ys[1] += pad; }
  if (c.points && !c.logx) { const pad = (xs[1] - xs[0]) * 0.03; xs[0] -= pad; xs[1] += pad; }
  const scale = (v, [low, high], from, to, log) =>
    log ? from + (Math.log(v / low) / Math.log(high / low)) * (to - from) : from + ((v - low) / (high - low)) * (to - from);
  const X = v => scale(v, xs, left, width - right, c.logx), Y = v => scale(v, ys, height - bottom, top, c.logy);
  const usable = (x, y) => typeof x === "number" && typeof y === "number" && (!c.logx || x > 0) && (!c.logy || y > 0);
  let svg = "";
  for (const t of ticks(...ys, c.logy))
    svg += `<line class="grid" x1="${left}" x2="${width - right}" y1="${Y(t)}" y2="${Y(t)}"/><text x="${left - 6}" y="${Y(t) + 4}" text-anchor="end">${formatNumber(t, 4)}</text>`;
  for (const t of ticks(...xs, c.logx))
    svg += `<line class="grid" y1="${top}" y2="${height - bottom}" x1="${X(t)}" x2="${X(t)}"/><text x="${X(t)}" y="${height - bottom + 18}" text-anchor="middle">${formatNumber(t, 4)}</text>`;
  c.series.forEach((s, k) => {
    const colour = `var(--c${k % 7})`;
    if (c.bars) {
      const step = s.x.length > 1 ? Math.min(...s.x.slice(1).map((x, i) => Math.abs(X(x) - X(s.x[i])))) : 40;
      const wide = Math.max(1, step * 0.9);
      s.x.forEach((x, i) => { if (usable(x, s.y[i])) svg += `<rect x="${X(x) - wide / 2}" width="${wide}" y="${Math.min(Y(s.y[i]), Y(0))}" height="${Math.abs(Y(s.y[i]) - Y(0))}" fill="${colour}" fill-opacity=".75"/>`; });
      if (s.error) s.x.forEach((x, i) => { if (usable(x, s.y[i]) && s.error[i] > 0) svg += `<line class="axis" x1="${X(x)}" x2="${X(x)}" y1="${Y(s.y[i] - s.error[i])}" y2="${Y(s.y[i] + s.error[i])}"/>`; });
      return;
    }
    const points = s.x.map((x, i) => [x, s.y[i], i]).filter(([x, y]) => usable(x, y));
    if (c.points) {
      for (const [x, y, i] of points) svg += `<line stroke="${colour}" x1="${X(x)}" x2="${X(x)}" y1="${Y(y - (s.error ? s.error[i] || 0 : 0))}" y2="${Y(y + (s.error ? s.error[i] || 0 : 0))}"/><circle cx="${X(x)}" cy="${Y(y)}" r="2.5" fill="${colour}"/>`;
      return;
    }
    if (s.error && points.some(([, , i]) => s.error[i] > 0)) {
      const upper = points.map(([x, y, i]) => `${X(x)},${Y(y + (s.error[i] || 0))}`);
      const lower = points.map(([x, y, i]) => [x, c.logy ? Math.max(y - (s.error[i] || 0), ys[0]) : y - (s.error[i] || 0)]).map(([x, y]) => `${X(x)},${Y(y)}`).reverse();
      svg += `<polygon points="${upper.concat(lower).join(" ")}" fill="${colour}" fill-opacity=".22"/>`;
    }
    svg += `<polyline points="${points.map(([x, y]) => `${X(x)},${Y(y)}`).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"${k >= 7 ? ' stroke-dasharray="6 3"' : ""}/>`;
    if (points.length <= 60) for (const [x, y] of points) svg += `<circle cx="${X(x)}" cy="${Y(y)}" r="2.5" fill="${colour}"/>`;
  });
  for (const m of c.marks || [])
    svg += `<line class="axis" stroke-dasharray="5 3" x1="${X(m.x)}" x2="${X(m.x)}" y1="${top}" y2="${height - bottom}"/><text x="${X(m.x) + 4}" y="${top + 12}">${escapeText(m.name)}</text>`;
  svg += `<path class="axis" d="M${left} ${top}V${height - bottom}H${width - right}"/>`;
  svg += `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escapeText(c.x)}</text>`;
  svg += `<text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeText(c.y)}</text>`;
  const summary = `${c.title}: ${c.series.map(s => s.name).filter(Boolean).join(", ")} against ${c.x}, from ${formatNumber(xs[0], 4)} to ${formatNumber(xs[1], 4)}`;
  const legend = c.series.length > 1 ? c.series.slice(0, 14).map((s, k) => `<span style="white-space:nowrap"><svg aria-hidden="true" width="18" height="10" viewBox="0 0 18 10" style="display:inline;width:18px"><path d="M0 5H18" stroke="var(--c${k % 7})" stroke-width="3"/></svg> ${escapeText(s.name)}</span>`).join(" &nbsp; ") : "";
  return `<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(summary)}">${svg}</svg><figcaption>${escapeText(c.title)}${legend ? "<br>" + legend : ""}</figcaption></figure>`;
}

// A table of colours: viridis by five colours, for numbers on a grid of two axes.
function heatMap(c) {
  const width = widthOfPictures, left = 78, right = 110, top = 14, bottom = 46;
  const nx = c.xs.length, ny = c.ys.length;
  const height = Math.max(220, Math.min(520, top + bottom + (width - left - right) * ny / nx));
  const range = extent([c.values], c.log);
  if (!range) return "";
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const share = v => c.log ? Math.log(v / range[0]) / Math.log(range[1] / range[0]) : (v - range[0]) / (range[1] - range[0]);
  const colour = v => {
    if (typeof v !== "number" || (c.log && !(v > 0))) return "none";
    const at = Math.min(Math.max(share(v), 0), 1) * 4, i = Math.min(Math.floor(at), 3), f = at - i;
    return `rgb(${stops[i].map((a, k) => Math.round(a + f * (stops[i + 1][k] - a))).join(",")})`;
  };
  const w = (width - left - right) / nx, h = (height - top - bottom) / ny;
  let svg = "";
  for (let j = 0; j < ny; ++j)
    for (let i = 0; i < nx; ++i)
      svg += `<rect x="${left + i * w}" y="${height - bottom - (j + 1) * h}" width="${w + 0.3}" height="${h + 0.3}" fill="${colour(c.values[j * nx + i])}"/>`;
  for (let k = 0; k <= 20; ++k) {
    const f = k / 20, v = c.log ? range[0] * (range[1] / range[0]) ** f : range[0] + f * (range[1] - range[0]);
    svg += `<rect x="${width - right + 16}" y="${height - bottom - (f + 0.05) * (height - top - bottom) / 1.05}" width="14" height="${(height - top - bottom) / 21 + 0.5}" fill="${colour(v)}"/>`;
    if (k % 5 === 0) svg += `<text x="${width - right + 34}" y="${height - bottom - f * (height - top - bottom) / 1.05}">${formatNumber(v, 3)}</text>`;
  }
  const label = (list, i) => escapeText(formatNumber(list[i], 3));
  svg += `<text x="${left}" y="${height - bottom + 18}">${label(c.xs, 0)}</text><text x="${width - right}" y="${height - bottom + 18}" text-anchor="end">${label(c.xs, nx - 1)}</text>`;
  svg += `<text x="${left - 6}" y="${height - bottom}" text-anchor="end">${label(c.ys, 0)}</text><text x="${left - 6}" y="${top + 12}" text-anchor="end">${label(c.ys, ny - 1)}</text>`;
  svg += `<text x="${(left + width - right) / 2}" y="${height - 8}" text-anchor="middle">${escapeText(c.x)}</text><text transform="translate(14 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeText(c.y)}</text>`;
  return `<figure><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(`${c.title}, from ${formatNumber(range[0], 4)} to ${formatNumber(range[1], 4)}`)}">${svg}</svg><figcaption>${escapeText(c.title)}</figcaption></figure>`;
}
function histogram(title, label, values, marks) {
  const numbers = values.filter(v => typeof v === "number");
  const range = extent([numbers]);
  if (!range || numbers.length < 5) return "";
  const n = Math.max(8, Math.min(60, Math.round(Math.sqrt(numbers.length)))), width = (range[1] - range[0]) / n;
  const counts = new Array(n).fill(0);
  for (const v of numbers) ++counts[Math.min(n - 1, Math.floor((v - range[0]) / width))];
  return chart({ title, x: label, y: "number", bars: true, marks, series: [{ name: title, x: counts.map((_, i) => range[0] + (i + 0.5) * width), y: counts }] });
}

// ---- which charts a result has

const isIncreasing = list => list.length > 2 && list.every((v, i) => typeof v === "number" && (i === 0 || v > list[i - 1]));
function groupsOf(list) {
  const groups = new Map();
  list.forEach((value, i) => { if (!groups.has(value)) groups.set(value, []); groups.get(value).push(i); });
  return groups;
}
const pick = (list, rows) => rows.map(i => list[i]);
// A row of a table: its name, or the words with which it begins and the number after them, "historical 0.99".
function named(tables, table, i) {
  const columns = tables[table] ? Object.values(tables[table].columns) : [], names = tables[table] && (tables[table].columns.name || tables[table].columns.id);
  if (names) return names[i];
  const words = columns.slice(0, 1 + columns.findIndex(list => typeof list[i] !== "string")).map(list => list[i]);
  return words.length > 1 ? words.map(w => formatNumber(w)).join(" ") : `row ${i}`;
}

function exposureCharts(tables) {
  const t = tables.exposures;
  if (!t || !t.columns.time || !t.columns.expected_positive) return "";
  let html = "";
  for (const [set, rows] of groupsOf(t.columns.netting_set)) {
    const x = pick(t.columns.time, rows), line = (name, column, sign = 1) => column in t.columns
      ? [{ name, x, y: pick(t.columns[column], rows).map(v => v === null ? null : sign * v), error: pick(t.columns[`${column}_error`] || [], rows) }] : [];
    html += chart({ title: `${named(tables, "netting_sets", set)}: exposure through time`, x: "time (years)", y: "amount",
      series: [...line("expected positive (EE)", "expected_positive"), ...line("expected negative (ENE)", "expected_negative", -1), ...line("potential future (PFE)", "potential_future")] });
  }
  return html;
}
function gainCharts(tables) {
  const marks = method => {
    const r = tables.risk && tables.risk.columns;
    return r ? r.method.map((m, i) => ({ method: m, x: -r.var[i], name: `VaR ${formatNumber(100 * r.level[i], 4)} %` })).filter(m => m.method === method).slice(-1) : [];
  };
  let html = "";
  if (tables.monte_carlo) html += histogram("gains in simulated scenarios", "gain", tables.monte_carlo.columns.gain, marks("monte_carlo"));
  if (tables.historical) html += histogram("gains in historical scenarios", "gain", tables.historical.columns.gain, marks("historical"));
  return html;
}
function convergenceChart(tables) {
  const h = tables.history;
  if (!h || !h.columns.samples || !h.columns.standard_error) return "";
  const key = h.columns.trade || h.columns.estimate;
  if (!key) return "";
  const series = [];
  for (const [trade, rows] of groupsOf(key))
    if (rows.length > 1 && series.length < 14) series.push({ name: typeof trade === "number" ? named(tables, "trades", trade) : trade, x: pick(h.columns.samples, rows), y: pick(h.columns.standard_error, rows) });
  return series.length ? chart({ title: "convergence: standard error against samples", x: "samples", y: "standard error", logx: true, logy: true, series }) : "";
}
function greekCharts(tables) {
  const g = tables.greeks;
  if (!g) return "";
  let html = "", shown = 0;
  const kinds = g.columns.greek.map((greek, i) => `${g.columns.trade[i]}: ${inWords(greek)} ${g.columns.asset[i]}`);
  for (const [kind, rows] of groupsOf(kinds)) {
    if (rows.length < 2 || !rows.every(i => g.columns.bucket[i] !== "") || ++shown > 12) continue;
    const y = pick(g.columns.value, rows), buckets = pick(g.columns.bucket, rows).map(Number);
    const x = buckets.every(isFinite) ? buckets : rows.map((_, i) => i + 1);
    html += chart({ title: `${kind} by pillar`, x: buckets.every(isFinite) ? "pillar (years)" : "pillar", y: "derivative", bars: true, series: [{ name: kind, x, y, error: pick(g.columns.standard_error, rows) }] });
  }
  return html;
}
// Series: a table whose first column increases (steps, generations, distances), unless another chart shows it.
function seriesCharts(name, table, attributes) {
  if (["history", "exposures", "trades", "levels", "monte_carlo", "historical"].includes(name)) return "";
  const names = Object.keys(table.columns), x = names[0];
  if (!x || !isIncreasing(table.columns[x])) return "";
  let html = "", shown = 0;
  for (const column of names.slice(1)) {
    const values = table.columns[column];
    if (/(_error|standard_error|_vov|_scoring_batches)$|^error_of_/.test(column) || !values.some(v => typeof v === "number")) continue;
    if (names.indexOf(column) === 1 && (column === "time" || column.startsWith(`${x}_`))) continue;
    if (/_(x|y|z){2}$/.test(column) && names.includes(column.slice(0, -3))) continue;  // of a tensor, whose trace is shown
    if (values.every(v => v === values[0]) || ++shown > 12) continue;
    const unit = (attributes[`${name}/${column}`] || {}).unit, error = errorColumn(table.columns, column);
    html += chart({ title: `${name}: ${inWords(column)}`, x: inWords(x), y: inWords(column) + (unit ? ` (${unit})` : ""),
      series: [{ name: column, x: table.columns[x], y: values, error: error ? table.columns[error] : undefined }] });
  }
  return html;
}
// Tallies on meshes: lines along one axis, colours on two.
function tallyCharts(name, table, attributes, types) {
  if (!name.startsWith("tallies/")) return "";
  const axes = ["x", "y", "z"].filter(a => table.columns[a] && new Set(table.columns[a]).size > 1);
  const place = a => table.columns[`${a}_cm`] || table.columns[a];
  let html = "";
  for (const column of Object.keys(table.columns)) {
    const error = `${column}_standard_error`;
    if (!(error in table.columns)) continue;
    const unit = (attributes[`${name}/${column}`] || {}).unit, values = table.columns[column];
    // Bins of energies, cells and other filters are whole numbers or names; places are neither.
    const others = Object.keys(table.columns).filter(k => /^(u?int|string)/.test(types[`${name}/${k}`] || "") && !["x", "y", "z"].includes(k) && !k.startsWith(column) && !/_cm$|_scoring_batches$/.test(k) && new Set(table.columns[k]).size > 1);
    if (others.length) continue;
    if (axes.length === 1 && values.length > 2)
      html += chart({ title: `${name}: ${inWords(column)}`, x: `${axes[0]} (cm)`, y: column + (unit ? ` (${unit})` : ""), logy: values.every(v => v === null || v >= 0) && values.some(v => v > 0),
        series: [{ name: column, x: place(axes[0]), y: values, error: table.columns[error] }] });
    if (axes.length >= 2) {
      const [a, b, third] = axes, middle = third ? [...new Set(table.columns[third])].sort((p, q) => p - q)[Math.floor(new Set(table.columns[third]).size / 2)] : null;
      const rows = values.map((_, i) => i).filter(i => !third || table.columns[third][i] === middle);
      const xs = [...new Set(pick(place(a), rows))].sort((p, q) => p - q), ys = [...new Set(pick(place(b), rows))].sort((p, q) => p - q);
      if (xs.length * ys.length > 40000) continue;
      const grid = new Array(xs.length * ys.length).fill(null);
      for (const i of rows) grid[ys.indexOf(place(b)[i]) * xs.length + xs.indexOf(place(a)[i])] = values[i];
      html += heatMap({ title: `${name}: ${inWords(column)}${unit ? ` (${unit})` : ""}${third ? `, ${third} = ${formatNumber(place(third)[rows[0]], 4)} cm` : ""}, logarithmic colours`, x: `${a} (cm)`, y: `${b} (cm)`, xs, ys, values: grid, log: true });
    }
  }
  return html;
}
// k by generation, and other lists of numbers that are not tables.
function listCharts(file) {
  const lists = file.datasets.filter(d => d.columns === 1 && d.rows > 2 && d.values && /^(batches|generations)\//.test(d.path) && d.values.some(v => typeof v === "number"));
  const varying = lists.filter(d => new Set(d.values).size > 1);
  const k = varying.filter(d => /\/k_/.test(d.path));
  let html = k.length ? chart({ title: "multiplication factor by batch", x: "batch", y: "k", series: k.map(d => ({ name: inWords(d.path.split("/")[1]), x: d.values.map((_, i) => i + 1), y: d.values })) }) : "";
  for (const d of varying.filter(d => !/\/k_/.test(d.path)))
    html += chart({ title: inWords(d.path.replace("/", ": ")), x: "batch", y: inWords(d.path.split("/")[1]), series: [{ name: d.path, x: d.values.map((_, i) => i + 1), y: d.values }] });
  return html;
}
// A batch: the estimates of each study against its parameters. A line joins tasks that differ in this parameter alone, or whose
// parameters all vary together (`design = "list"`); tasks of sampled designs are points.
function studyCharts(file, tables) {
  if (file.provenance.module !== "batch" || !tables.tasks || !tables.estimates) return "";
  const e = tables.estimates.columns, tasks = tables.tasks.columns, parameters = Object.keys(tasks).filter(k => !["name", "state", "exit_code"].includes(k));
  const studies = [...groupsOf(tasks.name.map(name => name.replace(/\.\d+$/, "")))].filter(([, members]) => members.length > 2);
  const most = Math.max(2, Math.floor(24 / studies.length));
  let html = "";
  for (const [study, members] of studies) {
    const varying = parameters.filter(k => new Set(pick(tasks[k], members)).size > 1), inStudy = new Set(members);
    const rowsOfStudy = e.task.map((_, i) => i).filter(i => inStudy.has(e.task[i])), names = rowsOfStudy.map(i => `${e.estimate[i]} ${e.row[i]}`.trim());
    const keys = varying.filter(k => new Set(pick(tasks[k], members).filter(v => typeof v === "number")).size > 2);
    let shown = 0;
    for (const [estimate, positions] of groupsOf(names))
      for (const key of keys) {
        const rows = pick(rowsOfStudy, positions), at = i => tasks[key][e.task[i]], others = varying.filter(k => k !== key);
        if (rows.length < 3 || ++shown > most) continue;
        const lines = [...groupsOf(rows.map(i => others.map(k => `${k} = ${formatNumber(tasks[k][e.task[i]])}`).join(", ")))].map(([name, list]) => [name, pick(rows, list).sort((p, q) => at(p) - at(q))]);
        const places = rows.map(at), together = isIncreasing(places) || isIncreasing(places.slice().reverse());
        const joined = lines.length <= 14 && lines.some(([, list]) => list.length > 1);
        const series = (joined ? lines : [["", rows.slice().sort((p, q) => at(p) - at(q))]]).map(([name, list]) => ({ name: name || estimate, x: list.map(at), y: pick(e.value, list), error: pick(e.standard_error, list) }));
        const quantity = inWords(e.estimate[rows[0]].split("/").pop()), unit = (e.unit || [])[rows[0]];
        html += chart({ title: `${study}: ${estimate} against ${key}`, x: key, y: unit ? `${quantity} (${unit})` : quantity, points: !joined && !together, series });
      }
  }
  return html;
}

// ---- tables that can be sorted and filtered

const rowsAtOnce = 300;
function makeTable(name, table, attributes, tables) {
  const columns = table.columns, names = Object.keys(columns);
  const errors = new Map(names.map(n => [n, errorColumn(columns, n)]).filter(([, e]) => e));
  const hidden = new Set(errors.values());
  const shown = names.filter(n => !hidden.has(n) && columns[n].length === table.rows);
  const links = new Map(shown.map(n => [n, /^row of .* in (\w+)\//.exec((attributes[`${name}/${n}`] || {}).description || "")]).filter(([, m]) => m).map(([n, m]) => [n, m[1]]));
  const numeric = new Set(shown.filter(n => typeof columns[n].find(v => v !== null) === "number" && !links.has(n)));
  const text = (n, i) => links.has(n) && typeof columns[n][i] === "number" ? named(tables, links.get(n), columns[n][i]) : errors.has(n) ? formatWithError(columns[n][i], columns[errors.get(n)][i]) : formatNumber(columns[n][i]);
  let order = [...Array(table.rows).keys()], sorted = null, descending = false, filter = "", limit = rowsAtOnce;
  const section = document.createElement("section");
  section.innerHTML = `<h3>${escapeText(inWords(name))}</h3><div class="bar"><label>Filter <input type="search" aria-label="Filter rows of ${escapeText(name)}"></label><span role="status"></span></div><div class="scroll" tabindex="0" role="region" aria-label="${escapeText(name)}"><table><thead><tr></tr></thead><tbody></tbody></table></div>`;
  const head = section.querySelector("thead tr"), body = section.querySelector("tbody"), status = section.querySelector("[role=status]");
  for (const n of shown) {
    const a = attributes[`${name}/${n}`] || {}, th = document.createElement("th");
    th.scope = "col";
    if (numeric.has(n)) th.className = "number";
    th.innerHTML = `<button type="button" title="${escapeText(a.description || "sort")}">${escapeText(inWords(n))}${errors.has(n) ? " ± s.e." : ""}<span aria-hidden="true"></span></button>${a.unit ? ` <span class="unit">${escapeText(a.unit)}</span>` : ""}`;
    th.querySelector("button").addEventListener("click", () => { descending = sorted === n && !descending; sorted = n; limit = rowsAtOnce; draw(); });
    head.append(th);
  }
  section.querySelector("input").addEventListener("input", event => { filter = event.target.value.toLowerCase(); limit = rowsAtOnce; draw(); });
  function draw() {
    let rows = order;
    if (filter) rows = rows.filter(i => shown.some(n => text(n, i).toLowerCase().includes(filter)));
    if (sorted) {
      const list = columns[sorted], sign = descending ? -1 : 1;
      rows = [...rows].sort((p, q) => {
        const a = list[p], b = list[q];
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * (typeof a === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true })) || p - q;
      });
    }
    head.querySelectorAll("th").forEach((th, k) => { const on = shown[k] === sorted; th.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none"); th.querySelector("button span").textContent = on ? (descending ? " ▼" : " ▲") : ""; });
    body.innerHTML = rows.slice(0, limit).map(i => "<tr>" + shown.map(n => { const t = text(n, i), number = numeric.has(n); return `<td class="${number ? "number" : t.length > 60 ? "long" : ""}">${escapeText(t).replace(/ ± (.*)$/, number ? ' <span class="error">± $1</span>' : " ± $1")}</td>`; }).join("") + "</tr>").join("");
    status.innerHTML = `${rows.length} of ${table.rows} rows`;
    if (rows.length > limit) {
      status.innerHTML += `, ${limit} shown `;
      const more = document.createElement("button");
      more.type = "button"; more.textContent = "show all";
      more.addEventListener("click", () => { limit = Infinity; draw(); });
      status.append(more);
    }
  }
  draw();
  return section;
}

// ---- last frames of molecular dynamics, drawn on a canvas that the reader turns

function bytesOf(text) {
  return Uint8Array.from(atob(text), c => c.charCodeAt(0));
}
// Positions relative to the middle of the box, as [x, y, z] for each atom.
function positionsOf(frame, middle) {
  const bytes = bytesOf(frame.positions), list = new Float32Array(bytes.length / 2);
  for (let i = 0; i < list.length; ++i) {
    const axis = i % 3, share = (bytes[2 * i] + 256 * bytes[2 * i + 1]) / 65535;
    list[i] = frame.low[axis] + share * (frame.high[axis] - frame.low[axis]) - middle[axis];
  }
  return list;
}
const colourOfKind = kind => getComputedStyle(document.documentElement).getPropertyValue(`--c${kind % 7}`).trim();
// A ball of one kind, to be drawn many times.
function ballOf(kind, radius) {
  const ball = document.createElement("canvas"), size = Math.max(2, Math.ceil(2 * radius));
  ball.width = ball.height = size;
  const pen = ball.getContext("2d"), shade = pen.createRadialGradient(size * 0.35, size * 0.35, 0, size / 2, size / 2, size / 2);
  shade.addColorStop(0, "#ffffff");
  shade.addColorStop(0.35, colourOfKind(kind));
  shade.addColorStop(1, "#000000");
  pen.fillStyle = shade;
  pen.beginPath();
  pen.arc(size / 2, size / 2, size / 2, 0, 2 * Math.PI);
  pen.fill();
  return ball;
}
// The corners of the box as sums of its three edges, and the pairs of corners that an edge joins.
function boxOf(frame) {
  const corners = [], pairs = [];
  for (let c = 0; c < 8; ++c) {
    corners.push([0, 1, 2].map(a => [0, 1, 2].reduce((sum, e) => sum + ((c >> e & 1) - 0.5) * frame.edges[3 * e + a], 0)));
    for (const e of [1, 2, 4]) if (!(c & e)) pairs.push([c, c | e]);
  }
  return { corners, pairs };
}
function frameText(frame) {
  const shown = frame.shown < frame.atoms ? `, ${frame.shown} of them shown` : "";
  const lengths = [0, 1, 2].map(e => formatNumber(Math.hypot(...frame.edges.slice(3 * e, 3 * e + 3)), 4)).join(" × ");
  const when = "step" in frame ? `, step ${frame.step}` : "";
  return `${frame.file}: last frame${when}, ${frame.atoms} atoms${shown} in a box of ${lengths}`;
}
function drawFrame(frame) {
  const figure = document.createElement("figure");
  const legend = frame.kinds.length > 1 ? "<br>" + frame.kinds.map((name, k) => `<span style="white-space:nowrap"><svg aria-hidden="true" width="14" height="12" viewBox="0 0 14 12" style="display:inline;width:14px"><circle cx="6" cy="6" r="5" fill="var(--c${k % 7})"/></svg> ${escapeText(name)}</span>`).join(" &nbsp; ") : "";
  figure.innerHTML = `<canvas tabindex="0" role="img" aria-label="${escapeText(frameText(frame))}; arrow keys turn it, plus and minus change its size"></canvas><figcaption>${escapeText(frameText(frame))}. Drag or use the arrow keys to turn it, and + and − to change its size.${legend}</figcaption>`;
  const canvas = figure.querySelector("canvas"), box = boxOf(frame);
  const middle = [0, 1, 2].map(a => frame.origin[a] + (frame.edges[a] + frame.edges[3 + a] + frame.edges[6 + a]) / 2);
  const positions = positionsOf(frame, middle), kinds = bytesOf(frame.species), n = kinds.length;
  const edge = i => frame.edges.slice(3 * i, 3 * i + 3), [a, b, c] = [edge(0), edge(1), edge(2)];
  const volume = Math.abs(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]));
  const size = Math.max(...box.corners.map(p => Math.hypot(...p))) || 1, radius = 0.42 * Math.cbrt(volume / frame.atoms) || size / 50;
  let turn = 0.5, tilt = 0.35, zoom = 1;
  function draw() {
    const wide = canvas.clientWidth || 600, high = Math.round(wide * 0.75), dense = window.devicePixelRatio || 1;
    canvas.width = wide * dense;
    canvas.height = high * dense;
    const pen = canvas.getContext("2d"), scale = zoom * dense * 0.48 * Math.min(wide, high) / size;
    const [st, ct, sp, cp] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)];
    // To the right, upwards, and towards the reader.
    const view = (x, y, z) => { const depth = -st * x + ct * y; return [ct * x + st * y, cp * z + sp * depth, sp * z - cp * depth]; };
    const place = p => [canvas.width / 2 + scale * p[0], canvas.height / 2 - scale * p[1]];
    const corners = box.corners.map(p => view(...p)), back = Math.min(...corners.map(p => p[2]));
    const line = (p, q) => { pen.beginPath(); pen.moveTo(...place(p)); pen.lineTo(...place(q)); pen.stroke(); };
    pen.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue("--soft").trim();
    pen.lineWidth = dense;
    const isBehind = ([i, j]) => corners[i][2] === back || corners[j][2] === back;
    for (const [i, j] of box.pairs.filter(isBehind)) line(corners[i], corners[j]);
    const balls = frame.kinds.map((_, k) => ballOf(k, radius * scale));
    const seen = new Array(n);
    for (let i = 0; i < n; ++i) seen[i] = [...view(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]), kinds[i]];
    seen.sort((p, q) => p[2] - q[2]);
    for (const p of seen) { const [x, y] = place(p), ball = balls[p[3]]; pen.drawImage(ball, x - ball.width / 2, y - ball.height / 2); }
    for (const pair of box.pairs.filter(pair => !isBehind(pair))) line(corners[pair[0]], corners[pair[1]]);
  }
  let last = null;
  const change = (dTurn, dTilt, factor) => { turn += dTurn; tilt = Math.max(-1.57, Math.min(1.57, tilt + dTilt)); zoom = Math.max(0.5, Math.min(10, zoom * factor)); requestAnimationFrame(draw); };
  canvas.addEventListener("pointerdown", e => { last = [e.clientX, e.clientY]; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", e => { if (last) { change((last[0] - e.clientX) * -0.01, (e.clientY - last[1]) * 0.01, 1); last = [e.clientX, e.clientY]; } });
  canvas.addEventListener("pointerup", () => { last = null; });
  canvas.addEventListener("pointercancel", () => { last = null; });
  const steps = { ArrowLeft: [-0.1, 0, 1], ArrowRight: [0.1, 0, 1], ArrowUp: [0, -0.1, 1], ArrowDown: [0, 0.1, 1], "+": [0, 0, 1.2], "=": [0, 0, 1.2], "-": [0, 0, 1 / 1.2] };
  canvas.addEventListener("keydown", e => { if (e.key in steps) { e.preventDefault(); change(...steps[e.key]); } });
  document.addEventListener("themechange", draw);
  new ResizeObserver(draw).observe(figure);
  requestAnimationFrame(draw);
  return figure;
}

// ---- the page

// A part of the page that fails leaves a message, and the other parts as they are.
function attempt(what, make) {
  try {
    return make();
  } catch (error) {
    return `<p class="warning">${escapeText(what)} cannot be drawn: ${escapeText(error.message)}</p>`;
  }
}
function attemptAppend(parent, what, make) {
  const part = attempt(what, make);
  if (typeof part === "string") parent.insertAdjacentHTML("beforeend", part);
  else parent.append(part);
}
function facts(list) {
  return `<dl class="facts">${list.filter(([, v]) => v !== undefined && v !== "").map(([k, v]) => `<dt>${escapeText(k)}</dt><dd>${escapeText(v)}</dd>`).join("")}</dl>`;
}
function timing(p) {
  if (!p.timing) return "";
  const t = typeof p.timing === "string" ? JSON.parse(p.timing) : p.timing;
  const rows = Object.entries(t.regions || {}).filter(([, r]) => r.busy.max + r.waiting.max > 0);
  if (!rows.length) return "";
  const cell = s => escapeText(`${formatNumber(s.min, 3)} / ${formatNumber(s.mean, 3)} / ${formatNumber(s.max, 3)}`);
  return `<h3>time by rank</h3><p>Seconds in the loop: minimum / mean / maximum over ${escapeText(p.ranks)} rank${p.ranks === "1" ? "" : "s"}.</p><div class="scroll" tabindex="0" role="region" aria-label="time by rank"><table><thead><tr><th scope="col">region</th><th scope="col" class="number">computing</th><th scope="col" class="number">waiting for other ranks</th></tr></thead><tbody>${rows.map(([n, r]) => `<tr><td>${escapeText(n)}</td><td class="number">${cell(r.busy)}</td><td class="number">${cell(r.waiting)}</td></tr>`).join("")}</tbody></table></div>`;
}
function leftOut(tables) {
  const s = tables.skipped;
  return s && s.rows ? `<p class="warning">${s.rows} input${s.rows === 1 ? " was" : "s were"} left out: see the table “skipped”.</p>` : "";
}
function unconverged(p, tables) {
  if (!/^(relative_error|absolute_error|target_error|total_error) = (?!0\.0$)/m.test(p.config_resolved || "")) return "";
  const c = tables.trades && tables.trades.columns.converged;
  const missing = c ? c.filter(v => v === 0).length : 0;
  return missing ? `<p class="warning">${missing} of ${c.length} estimates have not met their error targets.</p>` : "";
}
function drawFile(file, index) {
  const p = file.provenance, tables = file.tables, attributes = attributesOf(file);
  const section = document.createElement("section");
  section.id = `file-${index}`;
  let html = `<h2>${escapeText(file.file)}</h2>` + facts([["module", p.module], ["configuration", p.config_name], ["seed", p.seed], ["digest", p.digest], ["ended", p.ended], ["duration", p.seconds && `${formatNumber(Number(p.seconds), 4)} s`],
    ["ran on", p.ranks && `${p.ranks} rank${p.ranks === "1" ? "" : "s"}, ${p.executor}`], ["host", p.host_by_rank && [...new Set(p.host_by_rank.split("\n"))].join(", ")], ["stopped", p.stop_reason], ["repeatable", p.repeatable], ["gsim", p.gsim_version && `${p.gsim_version} (${p.git_commit})${p.compiler ? `, ${p.compiler}` : ""}`], ["plugins", p.plugins]]);
  html += attempt("warnings", () => leftOut(tables) + unconverged(p, tables));
  const types = typesOf(file);
  const makers = [["exposures", () => exposureCharts(tables)], ["gains", () => gainCharts(tables)], ["greeks", () => greekCharts(tables)], ["batch", () => studyCharts(file, tables)], ["lists", () => listCharts(file)],
    ...Object.entries(tables).map(([name, table]) => [name, () => tallyCharts(name, table, attributes, types) || seriesCharts(name, table, attributes)]), ["convergence", () => convergenceChart(tables)]];
  const charts = makers.map(([name, make]) => attempt(`pictures of ${name}`, make)).join("");
  if (charts) html += `<h3>pictures</h3><div class="charts">${charts}</div>`;
  html += (file.problems || []).map(text => `<p class="warning">${escapeText(text)}</p>`).join("");
  if (file.pictures && file.pictures.length)
    html += `<div class="charts">${file.pictures.map(q => `<figure><img src="${q.data}" alt="${escapeText(q.text ? `${q.name}: ${q.text}` : q.name)}"><figcaption>${escapeText(q.name)}${q.text ? `<details><summary>what it shows</summary>${escapeText(q.text)}</details>` : ""}</figcaption></figure>`).join("")}</div>`;
  section.innerHTML = html;
  const frames = document.createElement("div");
  frames.className = "charts";
  for (const frame of file.frames || []) attemptAppend(frames, frame.file, () => drawFrame(frame));
  if (frames.childElementCount) section.append(frames);
  for (const [name, table] of Object.entries(tables)) if (table.rows > 0) attemptAppend(section, `the table ${name}`, () => makeTable(name, table, attributes, tables));
  const rest = document.createElement("div");
  rest.innerHTML = attempt("times by rank", () => timing(p)) + `<details><summary>configuration</summary><pre tabindex="0">${escapeText(p.config || p.config_resolved || "")}</pre></details>`;
  section.append(rest);
  return section;
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
  document.dispatchEvent(new Event("themechange"));
}
document.getElementById("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const main = document.querySelector("main");
if (files.length > 1) {
  const nav = document.createElement("nav");
  nav.setAttribute("aria-label", "Results");
  nav.innerHTML = `<ul>${files.map((f, i) => `<li><a href="#file-${i}">${escapeText(f.file)}</a></li>`).join("")}</ul>`;
  main.append(nav);
}
files.forEach((file, i) => attemptAppend(main, file.file, () => drawFile(file, i)));
