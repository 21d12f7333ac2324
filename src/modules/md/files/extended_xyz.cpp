#include "src/modules/md/files/extended_xyz.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/files/ase_units.hpp"
#include "src/modules/md/files/sorted_atoms.hpp"
#include "src/modules/md/files/tokens.hpp"

namespace gsim::md {
namespace {

/// Bound of ids and counts in a file, far below the range of Index so that no sum overflows.
constexpr Index max_integer = std::numeric_limits<Index>::max() / 1024;

using Keys = std::map<std::string, std::string, std::less<>>;

/// The key=value pairs of the second line of a frame; values that contain blanks are quoted.
Keys read_keys(const LineReader& in) {
  Keys keys;
  std::string_view unread = in.line();
  for (;;) {
    const std::size_t first = unread.find_first_not_of(" \t");
    if (first == unread.npos) return keys;
    unread.remove_prefix(first);
    const std::size_t end = std::min(unread.find_first_of("= \t"), unread.size());
    const std::string key(unread.substr(0, end));
    unread.remove_prefix(end);
    if (unread.empty() || unread.front() != '=') {
      keys.emplace(key, "");  // a key without a value is a flag
      continue;
    }
    unread.remove_prefix(1);
    const char quote = unread.empty() ? ' ' : unread.front();
    std::size_t last = 0;
    if (quote == '"' || quote == '\'') {
      unread.remove_prefix(1);
      last = unread.find(quote);
      if (last == unread.npos)
        in.fail(fmt::format("the value of {} has no closing quote", key), "add one");
    } else {
      last = std::min(unread.find_first_of(" \t"), unread.size());
    }
    if (!keys.emplace(key, unread.substr(0, last)).second)
      in.fail(fmt::format("{} is given twice", key), "leave one of them out");
    unread.remove_prefix(std::min(last + 1, unread.size()));
  }
}

std::vector<double> numbers(const LineReader& in, std::string_view text, const char* field,
                            std::size_t count) {
  const auto words = words_of(text);
  if (words.size() != count)
    in.fail(fmt::format("{} has {} numbers", field, words.size()),
            fmt::format("it must have {}", count));
  std::vector<double> values;
  values.reserve(words.size());
  for (const std::string_view word : words) values.push_back(in.real(word, field));
  return values;
}

Box read_box(const LineReader& in, const Keys& keys) {
  const auto lattice = keys.find("Lattice");
  if (lattice == keys.end())
    in.fail("there is no Lattice: this is plain XYZ, which has no box",
            "use extended XYZ, with Lattice=\"ax ay az bx by bz cx cy cz\" in this line");
  const auto v = numbers(in, lattice->second, "Lattice", 9);
  if (v[1] != 0 || v[2] != 0 || v[5] != 0)
    in.fail("the first box vector is not along x, or the second not in the xy plane",
            "rotate box and atoms so that Lattice=\"ax 0 0 bx by 0 cx cy cz\"");
  Vector3 origin{};
  if (const auto found = keys.find("Origin"); found != keys.end()) {
    const auto o = numbers(in, found->second, "Origin", 3);
    std::copy(o.begin(), o.end(), origin.begin());
  }
  std::array<Boundary, 3> boundaries{};
  if (const auto found = keys.find("pbc"); found != keys.end()) {
    const auto words = words_of(found->second);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::string_view word = words.size() == 3 ? words[a] : "";
      if (word != "T" && word != "F" && word != "1" && word != "0" && word != "True" &&
          word != "False")
        in.fail(fmt::format("pbc is \"{}\"", found->second), "write pbc=\"T T T\"");
      boundaries[a] =
          word == "T" || word == "1" || word == "True" ? Boundary::periodic : Boundary::open;
    }
  }
  try {
    return Box(origin, {v[0], v[4], v[8]}, {v[3], v[6], v[7]}, boundaries);
  } catch (const InputError& error) {
    in.fail(error.what(), "correct Lattice");
  }
}

/// Positions of the columns in the line of an atom; -1: absent.
struct Columns {
  int species = -1, position = -1, id = -1, velocity = -1, momentum = -1, charge = -1, mass = -1,
      image = -1, molecule = -1;
  std::size_t count = 0;
};

struct KnownColumn {
  std::string_view name;
  int Columns::*member;
  char kind;  ///< S: text (numbers are accepted), R: real, I: integer
  int width;
};
constexpr KnownColumn known_columns[] = {{"species", &Columns::species, 'S', 1},
                                         {"type", &Columns::species, 'S', 1},
                                         {"element", &Columns::species, 'S', 1},
                                         {"pos", &Columns::position, 'R', 3},
                                         {"id", &Columns::id, 'I', 1},
                                         {"velo", &Columns::velocity, 'R', 3},
                                         {"vel", &Columns::velocity, 'R', 3},
                                         {"velocity", &Columns::velocity, 'R', 3},
                                         {"velocities", &Columns::velocity, 'R', 3},
                                         {"momenta", &Columns::momentum, 'R', 3},
                                         {"charge", &Columns::charge, 'R', 1},
                                         {"charges", &Columns::charge, 'R', 1},
                                         {"initial_charges", &Columns::charge, 'R', 1},
                                         {"mass", &Columns::mass, 'R', 1},
                                         {"masses", &Columns::mass, 'R', 1},
                                         {"map_shift", &Columns::image, 'I', 3},
                                         {"image", &Columns::image, 'I', 3},
                                         {"molecule", &Columns::molecule, 'I', 1}};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

Columns read_columns(const LineReader& in, const Keys& keys) {
  const auto found = keys.find("Properties");
  const std::string text = found == keys.end() ? "species:S:1:pos:R:3" : found->second;
  const auto parts = split(text, ':');
  if (parts.size() % 3 != 0)
    in.fail(fmt::format("Properties is \"{}\"", text), "write NAME:KIND:COLUMNS for each property");
  Columns columns;
  for (std::size_t i = 0; i < parts.size(); i += 3) {
    const Index width = in.integer(parts[i + 2], "the columns of a property", 1, 1000);
    for (const KnownColumn& k : known_columns) {
      if (k.name != parts[i]) continue;
      const char kind = parts[i + 1].empty() ? ' ' : parts[i + 1].front();
      const bool fits = kind == k.kind || k.kind == 'S' || (k.kind == 'R' && kind == 'I');
      if (width != k.width || !fits)
        in.fail(fmt::format("property {} is {}:{}", k.name, parts[i + 1], width),
                fmt::format("it must be {}:{}", k.kind, k.width));
      if (columns.*k.member >= 0)
        in.fail(fmt::format("property {} is given twice, perhaps by another name", k.name),
                "leave one of them out");
      columns.*k.member = static_cast<int>(columns.count);
    }
    columns.count += static_cast<std::size_t>(width);
  }
  if (columns.position < 0) in.fail("Properties has no pos", "add pos:R:3");
  return columns;
}

/// Skips the frame whose first line is the current one; returns its number of atoms.
Index skip_frame(LineReader& in) {
  const Index atoms = in.integer(words_of(in.line()).at(0), "the number of atoms", 0, max_integer);
  const Index first = in.number();
  for (Index line = 0; line < atoms + 1; ++line)
    if (!in.next())
      in.fail(fmt::format("the file ends in the frame of {} atoms that begins at line {}", atoms,
                          first),
              "copy the file again, or remove this frame");
  return atoms;
}

/// A frame: a reader at its first line, and its number of atoms.
struct Frame {
  LineReader in;
  Index atoms;
};
/// Frame number `requested`, counted from 0; negative: the last one.
Frame find_frame(std::string_view text, const std::string& file, Index requested) {
  LineReader in(text, file);
  std::optional<Frame> frame;
  Index count = 0;
  while (in.next()) {
    if (words_of(in.line()).empty()) continue;
    if (words_of(in.line()).size() != 1)
      in.fail("a frame must begin with a line that contains only the number of atoms",
              "check the number of atoms of the previous frame");
    const LineReader begin = in;
    const Index atoms = skip_frame(in);
    if (requested < 0 || count == requested) frame.emplace(Frame{begin, atoms});
    if (count++ == requested) break;
  }
  if (!frame)
    throw InputError(count == 0
                         ? fmt::format("{}: it has no frame; give an extended XYZ file", file)
                         : fmt::format("{}: it has {} frames, but frame {} is requested "
                                       "(counted from 0); choose another one",
                                       file, count, requested));
  return *frame;
}

/// Reads the lines of the atoms.
class AtomLines {
 public:
  AtomLines(LineReader& in, const Box& box, const Columns& columns, const Units* units)
      : in_(in),
        box_(box),
        columns_(columns),
        momentum_unit_(units == nullptr ? 1 : ase_momentum(*units)) {}

  void read(Index atoms) {
    for (Index i = 0; i < atoms; ++i) {
      in_.next();
      words_ = words_of(in_.line());
      if (words_.size() != columns_.count)
        in_.fail(fmt::format("an atom has {} columns", words_.size()),
                 fmt::format("Properties says {}", columns_.count));
      read_atom(i);
    }
  }
  UnsortedAtoms result() { return std::move(all_); }

 private:
  std::string_view word(int column, int offset = 0) const {
    return words_[static_cast<std::size_t>(column) + static_cast<std::size_t>(offset)];
  }
  Vector3 vector(int column, const char* field) const {
    return {in_.real(word(column), field), in_.real(word(column, 1), field),
            in_.real(word(column, 2), field)};
  }
  Vector3 velocity_of(const Vector3& momentum, std::string_view species) const {
    const ChemicalElement* const element = element_named(species);
    if (columns_.mass < 0 && element == nullptr)
      in_.fail(fmt::format("the mass of `{}`, which is needed to compute velocities from momenta, "
                           "is unknown",
                           excerpt(species)),
               "add the column masses, or velo in place of momenta");
    const double mass = columns_.mass >= 0 ? all_.masses.back() : element->mass;
    if (!(mass > 0)) in_.fail(fmt::format("the mass is {}", mass), "give more than 0");
    Vector3 velocity{};
    for (std::size_t a = 0; a < 3; ++a) velocity[a] = momentum[a] / (mass * momentum_unit_);
    return velocity;
  }
  void read_atom(Index i) {
    AtomColumns& atoms = all_.atoms;
    const std::string_view species = columns_.species < 0 ? "X" : word(columns_.species);
    all_.species.emplace_back(species);
    all_.ids.push_back(
        columns_.id < 0 ? i + 1 : in_.integer(word(columns_.id), "id", -max_integer, max_integer));
    all_.lines.push_back(in_.number());
    ImageCount image{};
    try {
      atoms.position.push_back(box_.to_fixed(vector(columns_.position, "pos"), image));
    } catch (const NumericalError& error) {
      in_.fail(error.what(), "correct pos or Lattice");
    }
    constexpr Index max_images = std::numeric_limits<std::int32_t>::max() / 2;
    if (columns_.image >= 0)
      for (int a = 0; a < 3; ++a)
        image[static_cast<std::size_t>(a)] += static_cast<std::int32_t>(
            in_.integer(word(columns_.image, a), "map_shift", -max_images, max_images));
    atoms.image.push_back(image);
    if (columns_.charge >= 0) atoms.charge.push_back(in_.real(word(columns_.charge), "charge"));
    if (columns_.mass >= 0) all_.masses.push_back(in_.real(word(columns_.mass), "mass"));
    if (columns_.velocity >= 0)
      atoms.velocity.push_back(vector(columns_.velocity, "velo"));
    else if (columns_.momentum >= 0)
      atoms.velocity.push_back(velocity_of(vector(columns_.momentum, "momenta"), species));
    if (columns_.molecule >= 0)
      atoms.molecule.push_back(in_.integer(word(columns_.molecule), "molecule", 0, max_integer));
  }

  LineReader& in_;
  const Box& box_;
  const Columns& columns_;
  double momentum_unit_;
  std::vector<std::string_view> words_;
  UnsortedAtoms all_;
};

}  // namespace

AtomSystem read_extended_xyz(std::string_view text, const std::string& file,
                             const XyzOptions& options) {
  Frame frame = find_frame(text, file, options.frame);
  LineReader& in = frame.in;
  in.next();
  const Keys keys = read_keys(in);
  const Box box = read_box(in, keys);
  const Columns columns = read_columns(in, keys);
  AtomLines lines(in, box, columns, options.units);
  lines.read(frame.atoms);
  return sorted_system(box, lines.result(), file);
}

}  // namespace gsim::md
