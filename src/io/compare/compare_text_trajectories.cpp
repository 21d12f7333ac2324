// Trajectories in extended XYZ (https://github.com/libAtoms/extxyz) and in LAMMPS's dump format.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/io/compare/frame_files.hpp"

namespace gsim::io {
namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, separator);)
    if (!field.empty()) fields.push_back(field);
  return fields;
}

/// The text after `key` in a line, up to a blank; empty without it.
std::string value_after(const std::string& line, const std::string& key) {
  const std::size_t at = line.find(key);
  if (at == line.npos) return {};
  const std::size_t begin = at + key.size();
  return line.substr(begin, line.find(' ', begin) - begin);
}

/// Reads a trajectory line by line, as headers of frames and lines of atoms.
class TrajectoryLines {
 public:
  explicit TrajectoryLines(const std::string& path) : file_(path) {}

  /// Reads the next line; false at the end.
  bool next() {
    if (!file_.read_line(line)) return false;
    if (atoms_left_ > 0) {
      --atoms_left_;
      row = atoms - atoms_left_ - 1;
      return true;
    }
    row = -1;
    if (line.starts_with("ITEM:") || is_dump_)
      read_dump_header();
    else
      read_xyz_header();
    return true;
  }

  std::string line;
  Index frame = -1;  ///< of the line
  Index row = -1;    ///< the atom's place in its frame; -1: the line is of the header
  Index atoms = 0;   ///< of the frame
  std::string step;  ///< of the frame; empty: unknown
  std::vector<std::string> columns;

 private:
  void read_dump_header() {
    is_dump_ = true;
    if (line.starts_with("ITEM: TIMESTEP")) {
      ++frame;
      step.clear();
    } else if (section_.starts_with("ITEM: TIMESTEP")) {
      step = line;
    } else if (section_.starts_with("ITEM: NUMBER OF ATOMS")) {
      atoms = std::atoll(line.c_str());
    } else if (line.starts_with("ITEM: ATOMS")) {
      columns = split(line.substr(11), ' ');
      atoms_left_ = atoms;
    }
    section_ = line;
  }

  void read_xyz_header() {
    if (!is_comment_) {
      ++frame;
      atoms = std::atoll(line.c_str());
      step.clear();
    } else {
      step = value_after(line, " Step=");
      columns.clear();
      const std::vector<std::string> words = split(value_after(line, "Properties="), ':');
      for (std::size_t i = 0; i + 2 < words.size(); i += 3)
        for (int k = 0, count = std::atoi(words[i + 2].c_str()); k < count; ++k)
          columns.push_back(count == 1 ? words[i] : fmt::format("{} {}", words[i], "xyz"[k % 3]));
      if (columns.empty()) columns = {"species", "pos x", "pos y", "pos z"};  // plain XYZ
      atoms_left_ = atoms;
    }
    is_comment_ = !is_comment_;
  }

  PackedFile file_;
  bool is_dump_ = false, is_comment_ = false;
  Index atoms_left_ = 0;
  std::string section_;  ///< of a dump, the header's line before
};

class TextComparison {
 public:
  TextComparison(const std::string& first, const std::string& second) : a_(first), b_(second) {
    out_.first = first;
    out_.second = second;
  }

  FileComparison run() {
    bool has_first = a_.next(), has_second = b_.next();
    while (has_first && has_second && compare_line()) {
      has_first = a_.next();
      has_second = b_.next();
    }
    const Index atoms = a_.atoms;
    const bool is_shorter = has_first != has_second;
    const std::string& shorter = has_first ? out_.second : out_.first;
    while (has_first) has_first = a_.next();
    while (has_second) has_second = b_.next();
    if (a_.frame != b_.frame)
      out_.unmatched.push_back(fmt::format("{} and {} frames", a_.frame + 1, b_.frame + 1));
    else if (is_shorter)
      out_.unmatched.push_back(fmt::format("{} ends within frame {}", shorter, a_.frame));
    out_.contents = fmt::format("{} frames of {} atoms", a_.frame + 1, atoms);
    return std::move(out_);
  }

 private:
  /// Compares the current lines; false where the files have different parts from here on.
  bool compare_line() {
    if (a_.row < 0 || b_.row < 0) return compare_header();
    for (const std::size_t k : property_of_column_) ++out_.properties[k].values;
    if (a_.line != b_.line) compare_atom();
    return true;
  }

  bool compare_header() {
    const bool has_same_parts =
        a_.row == b_.row && a_.atoms == b_.atoms && a_.columns == b_.columns;
    if (!has_same_parts)
      out_.unmatched.push_back(
          fmt::format("from frame {} on: {} atoms with {} columns and {} atoms with {} columns",
                      a_.frame, a_.atoms, a_.columns.size(), b_.atoms, b_.columns.size()));
    else if (a_.line != b_.line)
      add_difference(out_, {a_.frame, a_.step, "", "line before the atoms", shorten(a_.line, 200),
                            shorten(b_.line, 200)});
    if (has_same_parts && a_.columns != columns_) set_properties();
    return has_same_parts;
  }

  /// Finds the properties of the columns, which may be others in each frame.
  void set_properties() {
    columns_ = a_.columns;
    property_of_column_.clear();
    for (const std::string& column : columns_) {
      const auto found = std::find_if(out_.properties.begin(), out_.properties.end(),
                                      [&](const auto& p) { return p.name == column; });
      property_of_column_.push_back(static_cast<std::size_t>(found - out_.properties.begin()));
      if (found == out_.properties.end()) out_.properties.push_back({column, 0, 0, 0});
    }
  }

  void compare_atom() {
    const std::vector<std::string> first = split(a_.line, ' '), second = split(b_.line, ' ');
    const std::string row = fmt::format("row {}", a_.row);
    if (first.size() != second.size())
      return add_difference(
          out_, {a_.frame, a_.step, row, "number of columns", fmt::format("{}", first.size()),
                 fmt::format("{}", second.size())});
    if (first.size() != columns_.size())
      return add_difference(
          out_, {a_.frame, a_.step, row, "line", shorten(a_.line, 200), shorten(b_.line, 200)});
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (first[k] == second[k]) continue;
      PropertyComparison& property = out_.properties[property_of_column_[k]];
      ++property.different;
      const double difference = std::fabs(std::strtod(second[k].c_str(), nullptr) -
                                          std::strtod(first[k].c_str(), nullptr));
      if (difference > property.largest) property.largest = difference;
      if (!out_.difference)
        add_difference(
            out_, {a_.frame, a_.step, name_of_atom(first), property.name, first[k], second[k]});
    }
  }

  std::string name_of_atom(const std::vector<std::string>& fields) const {
    const auto id = std::find(a_.columns.begin(), a_.columns.end(), "id");
    return id == a_.columns.end()
               ? fmt::format("row {}", a_.row)
               : fmt::format("atom {}", fields[static_cast<std::size_t>(id - a_.columns.begin())]);
  }

  TrajectoryLines a_, b_;
  FileComparison out_;
  std::vector<std::string> columns_;             ///< of the frame
  std::vector<std::size_t> property_of_column_;  ///< its place in the properties
};

}  // namespace

FileComparison compare_text_trajectories(const std::string& first, const std::string& second) {
  return TextComparison(first, second).run();
}

}  // namespace gsim::io
