// Messages about bonded interactions that are out of range.

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"

namespace gsim::md {
namespace {

constexpr const char* remedy =
    "; the system may be blowing up: make the time step smaller, or minimise the energy first";

}  // namespace

void BondedForces::throw_missing(ParticleStore& store, std::int64_t id) {
  const HostRows<std::int64_t> ids(store, store.id());
  const std::unordered_set<std::int64_t> here(ids.view().begin(), ids.view().end());
  const Index row = std::find(ids.view().begin(), ids.view().end(), id) - ids.view().begin();
  const char* kind = "";
  std::int64_t partner = -1;
  const auto keep_lowest = [&](const char* of_kind, std::int64_t candidate) {
    if (here.count(candidate) > 0 || (partner >= 0 && candidate >= partner)) return;
    kind = of_kind;
    partner = candidate;
  };
  const auto search = [&](const char* of_kind, const auto& columns, Index partners) {
    if (columns.empty()) return;
    const auto rows = columns.rows(store);
    for (Index slot = row * columns.capacity(); slot < (row + 1) * columns.capacity(); ++slot)
      for (Index p = 0; p < partners && rows.codes.view()[slot] >= 0; ++p)
        keep_lowest(of_kind, rows.partners.view()[slot * partners + p]);
  };
  search("bond", bonds_, 1);
  search("angle", angles_, 2);
  search("dihedral", dihedrals_, 3);
  if (pair_list_ >= 0)
    for (const std::int64_t neighbour : special_.third_neighbours(store, row))
      keep_lowest("1-4 pair", neighbour);
  throw NumericalError(fmt::format(
      "a {} of atom {} needs atom {}, which is farther away than interactions may reach ({:.6g}): "
      "a bond has become too long{}",
      kind, parameters_.id_of(id), parameters_.id_of(partner), reach_, remedy));
}

void BondedForces::check_faults(const ForceContext& context) {
  for (BondedList& list : lists_) {
    const std::uint64_t id = list.take_fault();
    if (id != no_particle)
      throw NumericalError(describe_fault(context, job(context), list, id) + remedy);
  }
}

std::string BondedForces::describe_fault(const ForceContext& context, BondedJob job,
                                         const BondedList& list, std::uint64_t first_id) const {
  ParticleStore& store = context.particles.store;
  const HostRows<std::uint64_t> positions(store, store.position());
  const HostRows<std::int64_t> ids(store, store.id());
  job.position = reinterpret_cast<const FixedPosition*>(positions.view().data);
  job.constants = list.constants().data();
  job.order = list.order();
  std::unique_ptr<HostRows<double>> charges;
  if (job.charge != nullptr) {
    charges = std::make_unique<HostRows<double>>(store, context.particles.charge);
    job.charge = charges->view().data;
  }
  BondedRows at{};
  std::int32_t type = -1;
  list.for_each([&](const BondedRows& rows, std::int32_t t) {
    if (type < 0 && static_cast<std::uint64_t>(ids.view()[rows[0]]) == first_id &&
        list.is_fault(job, rows, t)) {
      at = rows;
      type = t;
    }
  });
  if (type < 0) throw Error("internal error: an interaction out of range is not in the lists");
  std::string atoms, lengths;
  for (std::size_t k = 0; k < static_cast<std::size_t>(list.atoms()); ++k) {
    atoms += fmt::format("{}{}", k == 0 ? "" : "-", parameters_.id_of(ids.view()[at[k]]));
    if (k == 0) continue;
    const Vector3 d = context.box.difference(job.position[at[k]], job.position[at[k - 1]]);
    lengths += fmt::format("{}{:.6g}", k == 1 ? "" : ", ",
                           std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
  }
  if (&list == pair_list())
    return fmt::format("1-4 pair {} is out of range: its atoms are {} apart", atoms, lengths);
  const auto n = static_cast<std::size_t>(list.atoms());
  const std::string& label = labels_[n - 2][static_cast<std::size_t>(type)];
  if (n == 2) {
    const double max_length = parameters_.bonds[static_cast<std::size_t>(type)].max_length;
    return fmt::format("bond {} of type `{}` is out of range: it is {} long (max_length {:.6g})",
                       atoms, label, lengths, max_length);
  }
  return fmt::format(
      "{} {} of type `{}` is out of range: its atoms are {} apart (at most {:.6g}), or on one line",
      n == 3 ? "angle" : "dihedral", atoms, label, lengths, max_arm_);
}

}  // namespace gsim::md
