#include "src/modules/md/pair_potentials/radial_function.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

constexpr Index max_samples = 10'000'000;

bool is_number(std::string_view word) {
  return !word.empty() && (std::string_view("+-.0123456789").find(word[0]) != word.npos);
}

/// Goes to the next line that is not empty or a comment, and returns its words.
std::vector<std::string_view> next_words(LineReader& lines) {
  while (lines.next()) {
    auto words = words_of(lines.line().substr(0, lines.line().find('#')));
    if (!words.empty()) return words;
  }
  return {};
}

void add_sample(const LineReader& lines, double r, std::string_view energy, std::string_view force,
                RadialSamples& to) {
  if (!(r > 0) || (!to.r.empty() && !(r > to.r.back())))
    lines.fail(fmt::format("the distance {} is not above {}", r, to.r.empty() ? 0 : to.r.back()),
               "distances must be positive and rise from line to line");
  to.line.push_back(lines.number());
  to.r.push_back(r);
  to.energy.push_back(lines.real(energy, "the energy"));
  to.force.push_back(lines.real(force, "the force"));
}

/// The line of parameters of a section: "N 500 R 0.8 2.5 FPRIME …".
struct SectionGrid {
  Index count = 0;
  double low = 0, high = 0;
  /// Distances are given in each row, or are at equal steps of r or of r^2.
  enum { in_file, by_r, by_r2 } distances = in_file;

  SectionGrid(const LineReader& lines, const std::vector<std::string_view>& words) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      const auto word = words[w];
      const auto next = [&] {
        if (++w >= words.size())
          lines.fail(fmt::format("a number is missing after {}", word), "complete the line");
        return words[w];
      };
      if (word == "N") {
        count = lines.integer(next(), "the number of rows", 2, max_samples);
      } else if (word == "R" || word == "RSQ") {
        distances = word == "R" ? by_r : by_r2;
        low = lines.real(next(), "the first distance");
        high = lines.real(next(), "the last distance");
      } else if (word == "FPRIME") {  // slopes of the force at both ends: for splines, not used
        next(), next();
      } else {
        lines.fail(fmt::format("`{}` is not understood here", word),
                   "the line after a section's name says N and its value, and may say R or RSQ "
                   "with two distances, and FPRIME");
      }
    }
    if (count == 0) lines.fail("the number of rows is missing", "write N and their number");
  }
  double r(Index row, double given) const {
    const double fraction = static_cast<double>(row) / static_cast<double>(count - 1);
    if (distances == by_r) return low + (high - low) * fraction;
    if (distances == by_r2) return std::sqrt(low * low + (high * high - low * low) * fraction);
    return given;
  }
};

/// Reads section `name` of a file in the format of LAMMPS's pair_style table, or its only section
/// if `name` is empty. `words`: the words of the first line.
RadialSamples read_section(LineReader& lines, std::vector<std::string_view> words,
                           std::string_view name) {
  std::string titles;
  RadialSamples found;
  for (; !words.empty(); words = next_words(lines)) {
    const std::string title(words[0]);
    const Index title_line = lines.number();
    words = next_words(lines);
    if (words.empty()) lines.fail(fmt::format("nothing follows `{}`", title), "complete the file");
    const SectionGrid grid(lines, words);
    RadialSamples samples;
    for (Index row = 0; row < grid.count; ++row) {
      words = next_words(lines);
      if (words.size() != 4)
        lines.fail(fmt::format("row {} of {} of `{}` has {} words, not 4", row + 1, grid.count,
                               title, words.size()),
                   "a row is its number, a distance, an energy and a force");
      add_sample(lines, grid.r(row, lines.real(words[1], "the distance")), words[2], words[3],
                 samples);
    }
    if (title == name) return samples;
    titles += (titles.empty() ? "`" : ", `") + title + "`";
    if (name.empty() && !found.r.empty()) {
      lines.set_line_number(title_line);
      lines.fail(fmt::format("the file has the sections {}", titles),
                 "name one of them: section = …");
    }
    found = std::move(samples);
  }
  if (!name.empty())
    lines.fail(fmt::format("there is no section `{}`, but {}", name, titles), "correct `section`");
  return found;
}

/// Reads a file without sections: lines of a distance, an energy and a force.
RadialSamples read_columns(LineReader& lines, std::vector<std::string_view> words) {
  RadialSamples samples;
  for (; !words.empty(); words = next_words(lines)) {
    if (words.size() != 3)
      lines.fail(fmt::format("{} words, not 3", words.size()),
                 "a line is a distance, an energy and a force (-du/dr)");
    add_sample(lines, lines.real(words[0], "the distance"), words[1], words[2], samples);
  }
  return samples;
}

/// Forces that differ from the slope of the energies (another sign, other units) are an error.
void check_slopes(const LineReader& lines, const RadialSamples& s) {
  double difference = 0, slopes = 0;
  for (std::size_t i = 1; i < s.r.size(); ++i) {
    const double slope = (s.energy[i] - s.energy[i - 1]) / (s.r[i] - s.r[i - 1]);
    const double force = 0.5 * (s.force[i] + s.force[i - 1]);
    difference += std::abs(slope + force);
    slopes += std::abs(slope);
  }
  if (difference > 0.25 * slopes)
    lines.fail(
        fmt::format("the forces differ from minus the slope of the energies by {:.0f} percent",
                    100 * difference / slopes),
        "the last column is -du/dr: are its sign and unit right, and are the rows close "
        "enough together?");
}

/// The difference between minus the slope of the energies between rows i - 1 and i, and the mean of
/// their forces.
double slope_error(const RadialSamples& s, std::size_t i) {
  const double slope = (s.energy[i] - s.energy[i - 1]) / (s.r[i] - s.r[i - 1]);
  return std::abs(slope + 0.5 * (s.force[i] + s.force[i - 1]));
}

/// Whether the energies of rows i - 1 and i are inconsistent with their forces. Between smooth rows
/// the error is below half the change of the force; changes of the energy by a thousandth of the
/// well's depth are accepted, for energies may have few digits.
bool is_inconsistent(const RadialSamples& s, std::size_t i) {
  double change = 0, force = 0;
  for (std::size_t k = i > 1 ? i - 1 : i; k <= std::min(i + 1, s.r.size() - 1); ++k) {
    change = std::max(change, std::abs(s.force[k] - s.force[k - 1]));
    force = std::max({force, std::abs(s.force[k]), std::abs(s.force[k - 1])});
  }
  const double depth = -*std::min_element(s.energy.begin(), s.energy.end());
  const double error = slope_error(s, i);
  return error > 2 * change + 0.05 * force &&
         error * (s.r[i] - s.r[i - 1]) > 1e-3 * std::max(depth, std::abs(s.energy[i - 1]));
}

/// LAMMPS's pair_write writes 0 for energy and force at the cutoff, where its potentials end. Such
/// a last row is not a value of the function: it is replaced by a continuation of the rows before.
void continue_to_cutoff(RadialSamples& s) {
  const std::size_t last = s.r.size() - 1;
  if (s.energy[last] != 0 || s.force[last] != 0 || !is_inconsistent(s, last)) return;
  const double step = s.r[last] - s.r[last - 1], before = s.r[last - 1] - s.r[last - 2];
  s.force[last] = s.force[last - 1] + (s.force[last - 1] - s.force[last - 2]) * step / before;
  s.energy[last] = s.energy[last - 1] - 0.5 * step * (s.force[last - 1] + s.force[last]);
}

void check_rows(LineReader& lines, const RadialSamples& s) {
  for (std::size_t i = 1; i < s.r.size(); ++i)
    if (is_inconsistent(s, i)) {
      lines.set_line_number(s.line[i]);
      lines.fail(
          fmt::format("the energies at r = {:.8g} and {:.8g} change by {:.6g}, but their forces, "
                      "{:.6g} and {:.6g}, imply a change of {:.6g}",
                      s.r[i - 1], s.r[i], s.energy[i] - s.energy[i - 1], s.force[i - 1], s.force[i],
                      -0.5 * (s.force[i - 1] + s.force[i]) * (s.r[i] - s.r[i - 1])),
          "the force, -du/dr, must be minus the slope of the energies in every row");
    }
}

/// Smooths an energy and force at r (gsim/md/pair_potentials/smoothed.hpp).
struct CutoffSmoothing {
  Smoothing smoothing;
  double cutoff, inner, force_at_cutoff;
  void apply(double r, double& u, double& f) const {
    if (smoothing == Smoothing::force_shift) {
      u += r * force_at_cutoff;
      f -= force_at_cutoff;
    } else if (smoothing == Smoothing::xplor && r > inner) {
      const double xc = cutoff * cutoff, xi = inner * inner, x = r * r, a = xc - x;
      const double cube = (xc - xi) * (xc - xi) * (xc - xi);
      const double factor = a * a * (xc + 2 * x - 3 * xi) / cube;
      f = factor * f - u * r * 12 * a * (xi - x) / cube;
      u *= factor;
    }
  }
};

}  // namespace

void RadialSamples::at(double distance, double& u, double& f) const {
  const auto above = std::upper_bound(r.begin(), r.end(), distance) - r.begin();
  const auto i = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(above - 1, 0, static_cast<std::ptrdiff_t>(r.size()) - 2));
  const double h = r[i + 1] - r[i], t = (distance - r[i]) / h;
  const double m0 = -h * force[i], m1 = -h * force[i + 1], rise = energy[i + 1] - energy[i];
  const double a2 = 3 * rise - 2 * m0 - m1, a3 = m0 + m1 - 2 * rise;
  u = energy[i] + t * (m0 + t * (a2 + t * a3));
  f = -(m0 + t * (2 * a2 + 3 * t * a3)) / h;
}

RadialSamples read_radial_samples(std::string_view text, const std::string& file,
                                  std::string_view name) {
  LineReader lines(text, file);
  const auto words = next_words(lines);
  if (words.empty())
    throw InputError(fmt::format("{}: the file holds no numbers; is it the right one?", file));
  const bool has_sections = !is_number(words[0]);
  if (!has_sections && !name.empty())
    lines.fail(fmt::format("the file has no sections, so no `{}`", name),
               "leave out `section`, or name a file in the format of LAMMPS's pair_style table");
  RadialSamples samples =
      has_sections ? read_section(lines, words, name) : read_columns(lines, words);
  if (samples.r.size() < 4) lines.fail(fmt::format("{} rows", samples.r.size()), "give 4 or more");
  check_slopes(lines, samples);
  continue_to_cutoff(samples);
  check_rows(lines, samples);
  return samples;
}

RadialFunction make_radial_function(const RadialSamples& samples, double cutoff,
                                    Smoothing smoothing, double inner) {
  constexpr double min_intervals = 512, max_intervals = 65536;
  const double first = samples.r.front(), x0 = first * first, x1 = cutoff * cutoff;
  double min_row_spacing = cutoff;  // in r^2
  for (std::size_t i = 1; i < samples.r.size(); ++i)
    min_row_spacing =
        std::min(min_row_spacing, 2 * samples.r[i - 1] * (samples.r[i] - samples.r[i - 1]));
  const double n =
      std::clamp(std::ceil(2 * (x1 - x0) / min_row_spacing), min_intervals, max_intervals);
  RadialFunction to{x0, (x1 - x0) / n, {}};
  CutoffSmoothing cutoff_smoothing{smoothing, cutoff, inner, 0};
  double ignored = 0;
  samples.at(cutoff, ignored, cutoff_smoothing.force_at_cutoff);
  struct Node {
    double u, slope;
  };
  const auto node = [&](double k) {
    const double r = std::sqrt(x0 + k * to.step);
    double u = 0, f = 0;
    samples.at(r, u, f);
    cutoff_smoothing.apply(r, u, f);
    return Node{u, -f / (2 * r) * to.step};
  };
  Node left = node(0);
  for (double k = 1; k <= n; ++k) {
    const Node right = node(k);
    const double rise = right.u - left.u;
    to.coefficients.insert(to.coefficients.end(),
                           {left.u, left.slope, 3 * rise - 2 * left.slope - right.slope,
                            left.slope + right.slope - 2 * rise});
    left = right;
  }
  return to;
}

}  // namespace gsim::md
