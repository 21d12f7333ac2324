#include "src/modules/md/files/data_sections.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

constexpr std::string_view section_names[] = {"Atoms",
                                              "Velocities",
                                              "Masses",
                                              "Bonds",
                                              "Angles",
                                              "Dihedrals",
                                              "Impropers",
                                              "Pair Coeffs",
                                              "PairIJ Coeffs",
                                              "Bond Coeffs",
                                              "Angle Coeffs",
                                              "Dihedral Coeffs",
                                              "Improper Coeffs",
                                              "Atom Type Labels",
                                              "Bond Type Labels",
                                              "Angle Type Labels",
                                              "Dihedral Type Labels",
                                              "Improper Type Labels"};

constexpr std::string_view count_names[] = {
    "atoms",      "bonds",      "angles",      "dihedrals",      "impropers",
    "atom types", "bond types", "angle types", "dihedral types", "improper types"};

/// Whether a header line is a memory hint for LAMMPS, which does not describe the system.
bool is_hint(std::string_view name) {
  return name.starts_with("extra ") && name.ends_with(" per atom");
}

/// The words from index `first` on, separated by blanks.
std::string join(const std::vector<std::string_view>& words, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < words.size(); ++i) {
    if (i > first) text += ' ';
    text += words[i];
  }
  return text;
}

void read_bounds(const LineReader& in, const std::vector<std::string_view>& words, std::size_t axis,
                 DataSections& data) {
  const std::string name(1, static_cast<char>('x' + axis));
  data.low[axis] = in.real(words[0], name + "lo");
  data.high[axis] = in.real(words[1], name + "hi");
  if (!(data.high[axis] > data.low[axis]))
    in.fail(fmt::format("the box goes from {} to {}", words[0], words[1]), "correct the bounds");
  data.has_bounds[axis] = true;
}

void read_header(const LineReader& in, const std::vector<std::string_view>& words,
                 DataSections& data) {
  const std::string first_name = join(words, 1),
                    two_names = join(words, std::min<std::size_t>(words.size(), 2));
  if (std::find(std::begin(count_names), std::end(count_names), first_name) !=
      std::end(count_names)) {
    // Larger than any file; the quotient keeps products with sizes of rows within 64 bits.
    const Index maximum = first_name.ends_with("types") ? std::numeric_limits<std::int32_t>::max()
                                                        : std::numeric_limits<Index>::max() / 1024;
    data.counts[first_name] = in.integer(words[0], "the number of " + first_name, 0, maximum);
  } else if (two_names == "xlo xhi") {
    read_bounds(in, words, 0, data);
  } else if (two_names == "ylo yhi") {
    read_bounds(in, words, 1, data);
  } else if (two_names == "zlo zhi") {
    read_bounds(in, words, 2, data);
  } else if (words.size() == 6 && join(words, 3) == "xy xz yz") {
    for (std::size_t i = 0; i < 3; ++i) data.tilts[i] = in.real(words[i], words[i + 3]);
  } else if (!is_hint(first_name)) {
    in.fail(fmt::format("\"{}\" is neither a line of the header nor a section that gsim reads",
                        join(words, 0)),
            "correct it, or leave it out");
  }
}

/// Whether a line is a row of a section: rows contain numbers (possibly after a label). A line
/// without numbers is the name of an unknown section.
bool is_row(const std::vector<std::string_view>& words) {
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return std::string_view("+-.0123456789").find(word.front()) != word.npos;
  });
}

}  // namespace

DataSections split_data_file(std::string_view text, const std::string& file) {
  DataSections data;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(fmt::format("{}: the file is empty", file));
  LineReader in(text, file);
  DataSection* section = nullptr;
  in.next();  // the first line is a title
  while (in.next()) {
    const std::size_t hash = std::min(in.line().find('#'), in.line().size());
    auto words = words_of(in.line().substr(0, hash));
    if (words.empty()) continue;
    const std::string name = join(words, 0);
    if (std::find(std::begin(section_names), std::end(section_names), name) !=
        std::end(section_names)) {
      if (const DataSection* earlier = data.find(name))
        in.fail(fmt::format("section {} is given twice, first in line {}", name, earlier->line),
                "merge the two sections");
      section = &data.sections[name];
      section->line = in.number();
      if (hash < in.line().size()) section->style = join(words_of(in.line().substr(hash + 1)), 0);
    } else if (section != nullptr && is_row(words)) {
      section->rows.push_back({std::move(words), in.number()});
    } else {
      read_header(in, words, data);
    }
  }
  return data;
}

}  // namespace gsim::md
