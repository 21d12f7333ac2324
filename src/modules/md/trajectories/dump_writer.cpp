#include "src/modules/md/trajectories/dump_writer.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace gsim::md {
namespace {

/// The lines of BOX BOUNDS. For a triclinic box each line has the bounds of the enclosing
/// orthogonal box and a tilt factor.
std::string bounds(const Box& box) {
  const Vector3 &o = box.origin(), &l = box.lengths(), &t = box.tilts();
  std::string boundary_styles;
  for (int a = 0; a < 3; ++a)
    boundary_styles += box.boundary(a) == Boundary::periodic ? " pp" : " ff";
  if (!box.is_triclinic()) {
    std::string text = fmt::format("ITEM: BOX BOUNDS{}\n", boundary_styles);
    for (std::size_t a = 0; a < 3; ++a) text += fmt::format("{} {}\n", o[a], o[a] + l[a]);
    return text;
  }
  const auto [xy, xz, yz] = t;
  const double low_x = std::min({0.0, xy, xz, xy + xz}), high_x = std::max({0.0, xy, xz, xy + xz});
  const double low_y = std::min(0.0, yz), high_y = std::max(0.0, yz);
  return fmt::format("ITEM: BOX BOUNDS xy xz yz{}\n{} {} {}\n{} {} {}\n{} {} {}\n", boundary_styles,
                     o[0] + low_x, o[0] + l[0] + high_x, xy, o[1] + low_y, o[1] + l[1] + high_y, xz,
                     o[2], o[2] + l[2], yz);
}

}  // namespace

std::string DumpWriter::header(const Snapshot& s, Index atoms) const {
  std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n{}", s.step, atoms,
                                 bounds(s.box));
  text += "ITEM: ATOMS id type x y z";
  if (config().image) text += " ix iy iz";
  if (config().velocity) text += " vx vy vz";
  if (config().force) text += " fx fy fz";
  return text + "\n";
}

void DumpWriter::append_atom(std::string& text, const AtomLine& atom) const {
  fmt::format_to(std::back_inserter(text), "{} {}", atom.id, atom.type + 1);
  append_reals(text, atom.position);
}

}  // namespace gsim::md
