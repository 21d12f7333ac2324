#include "src/modules/md/files/eam_file.hpp"

#include <array>

#include <fmt/format.h>

#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

constexpr Index max_points = 10'000'000;

/// Reads lines with a given number of words, and tables of numbers in free format.
class TableReader {
 public:
  TableReader(std::string_view text, const std::string& file) : lines_(text, file) {}

  const LineReader& lines() const { return lines_; }

  void next_line(std::string_view what) {
    if (!lines_.next())
      lines_.fail(fmt::format("the file ends before {}", what),
                  "is it complete, and is its format that of the configuration?");
  }
  std::vector<std::string_view> words(std::string_view what, std::size_t min_words) {
    next_line(what);
    auto words = words_of(lines_.line());
    if (words.size() < min_words)
      lines_.fail(fmt::format("{} has {} words, not {}", what, words.size(), min_words),
                  "is its format that of the configuration?");
    return words;
  }
  /// Reads `count` numbers from the next lines. The last of these lines must not contain more
  /// numbers.
  std::vector<double> table(std::string_view what, Index count) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(count));
    while (static_cast<Index>(values.size()) < count) {
      next_line(fmt::format("number {} of {}", values.size() + 1, what));
      for (const std::string_view word : words_of(lines_.line())) {
        if (static_cast<Index>(values.size()) == count)
          lines_.fail(fmt::format("{} has more than {} numbers", what, count),
                      "is the number of points in the line with the grid correct?");
        values.push_back(lines_.real(word, what));
      }
    }
    return values;
  }
  /// InputError if anything but blank lines follows.
  void expect_end() {
    while (lines_.next())
      if (!words_of(lines_.line()).empty())
        lines_.fail("more lines follow the last table", "is its format that of the configuration?");
  }

 private:
  LineReader lines_;
};

struct Grid {
  Index rho_points = 0, r_points = 0;
};

/// "Nrho drho Nr dr cutoff".
Grid read_grid(TableReader& in, EamFile& file) {
  const auto w = in.words("the line with the grid", 5);
  const LineReader& lines = in.lines();
  const Grid grid{lines.integer(w[0], "the number of densities", 5, max_points),
                  lines.integer(w[2], "the number of distances", 5, max_points)};
  file.rho_step = lines.real(w[1], "the step of the density");
  file.r_step = lines.real(w[3], "the step of the distance");
  file.cutoff = lines.real(w[4], "the cutoff");
  if (!(file.rho_step > 0 && file.r_step > 0 && file.cutoff > 0))
    lines.fail("a step or the cutoff is not positive", "correct the file");
  const double end = static_cast<double>(grid.r_points) * file.r_step;
  if (file.cutoff > end * (1 + 1e-9))
    lines.fail(fmt::format("the cutoff {} is beyond the end of the tables at {}", file.cutoff, end),
               "correct the cutoff, or the number or step of the distances");
  return grid;
}

/// "Z mass a lattice".
void read_header(TableReader& in, EamElement& element) {
  const auto w = in.words("the line of an element", 4);
  const LineReader& lines = in.lines();
  element.atomic_number = lines.integer(w[0], "the atomic number", 0, 200);
  element.mass = lines.real(w[1], "the mass");
  element.lattice_constant = lines.real(w[2], "the lattice constant");
  element.lattice = w[3];
  if (!(element.mass > 0)) lines.fail("the mass is not positive", "correct the file");
}

EamFile read_funcfl(TableReader& in) {
  constexpr double hartree_bohr =
      27.2 * 0.529;  // eV angstrom, the values of the programs that write such files
  in.next_line("the comment");
  EamFile file;
  file.elements.resize(1);
  EamElement& element = file.elements[0];
  read_header(in, element);
  const Grid grid = read_grid(in, file);
  element.embedding = in.table("the embedding energy", grid.rho_points);
  std::vector<double> charge = in.table("the effective charge", grid.r_points);
  element.density = {in.table("the density", grid.r_points)};
  for (double& z : charge) z = hartree_bohr * z * z;
  file.r_phi = {std::move(charge)};
  return file;
}

/// `density_by_pair`: an element has one density for each element of the neighbour, as in eam.fs.
EamFile read_setfl(TableReader& in, bool density_by_pair) {
  for (int i = 0; i < 3; ++i) in.next_line("a comment");
  const auto names = in.words("the line with the elements", 2);
  const Index count = in.lines().integer(names[0], "the number of elements", 1, 1000);
  if (static_cast<Index>(names.size()) < count + 1)
    in.lines().fail(fmt::format("{} elements are named, not {}", names.size() - 1, count),
                    "correct the line");
  EamFile file;
  file.elements.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < file.elements.size(); ++i) file.elements[i].name = names[i + 1];
  const Grid grid = read_grid(in, file);
  for (EamElement& element : file.elements) {
    read_header(in, element);
    element.embedding = in.table("the embedding energy of " + element.name, grid.rho_points);
    for (Index b = 0; b < (density_by_pair ? count : 1); ++b)
      element.density.push_back(in.table("the density of " + element.name, grid.r_points));
  }
  for (std::size_t i = 0; i < file.elements.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      file.r_phi.push_back(
          in.table("the pair table of " + file.elements[i].name + " and " + file.elements[j].name,
                   grid.r_points));
  return file;
}

}  // namespace

std::span<const std::string_view> eam_format_names() {
  static constexpr std::array<std::string_view, 3> words{"funcfl", "eam.alloy", "eam.fs"};
  return words;
}

EamFile read_eam(EamFormat format, std::string_view text, const std::string& file) {
  TableReader in(text, file);
  EamFile result =
      format == EamFormat::funcfl ? read_funcfl(in) : read_setfl(in, format == EamFormat::fs);
  in.expect_end();
  return result;
}

}  // namespace gsim::md
