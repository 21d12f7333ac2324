#include "src/modules/md/trajectory/xyz_writer.hpp"

#include <iterator>

#include <fmt/format.h>

namespace gsim::md {

std::string XyzWriter::header(const Snapshot& s, Index atoms) const {
  const Vector3 &l = s.box.lengths(), &t = s.box.tilts(), &o = s.box.origin();
  const auto periodic = [&](int axis) {
    return s.box.boundary(axis) == Boundary::periodic ? 'T' : 'F';
  };
  std::string properties = "species:S:1:pos:R:3:id:I:1";
  if (config().image) properties += ":map_shift:I:3";
  if (config().velocity) properties += ":velo:R:3";
  if (config().force) properties += ":force:R:3";
  return fmt::format(
      "{}\nLattice=\"{} 0 0 {} {} 0 {} {} {}\" Origin=\"{} {} {}\" pbc=\"{} {} {}\" "
      "Properties={} Time={} Step={}\n",
      atoms, l[0], t[0], l[1], t[1], t[2], l[2], o[0], o[1], o[2], periodic(0), periodic(1),
      periodic(2), properties, s.time, s.step);
}

void XyzWriter::append_atom(std::string& text, const AtomLine& atom) const {
  text += setup().type_names[static_cast<std::size_t>(atom.type)];
  append_reals(text, atom.position);
  fmt::format_to(std::back_inserter(text), " {}", atom.id);
}

}  // namespace gsim::md
