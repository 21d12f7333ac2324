#include "src/modules/md/trajectories/frame_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

template <class T>
std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

FrameRows::FrameRows(const OutputSetup& setup, const std::vector<std::string>& types,
                     const std::string& trajectory)
    : setup_(setup),
      is_selected_(setup.type_names.size(), types.empty()),
      share_(partition({0, setup.atoms}, setup.communicator.size(), setup.communicator.rank())) {
  for (const std::string& name : types) {
    const auto found = std::find(setup.type_names.begin(), setup.type_names.end(), name);
    const auto type = static_cast<std::size_t>(found - setup.type_names.begin());
    if (found == setup.type_names.end()) {
      const std::string suggestion = did_you_mean(name, setup.type_names);
      throw InputError(fmt::format(
          "trajectory {}: no atom type `{}`; {}", trajectory, name,
          suggestion.empty() ? "see [[type]]" : fmt::format("did you mean `{}`?", suggestion)));
    }
    if (is_selected_[type])
      throw InputError(
          fmt::format("trajectory {}: type `{}` is given twice; name it once", trajectory, name));
    is_selected_[type] = true;
  }
}

void FrameRows::select(const Snapshot& snapshot) {
  const Particles& p = snapshot.particles;
  const auto column = [&](ColumnId id) {
    return rows_by_id(snapshot.communicator, p.store, id, snapshot.atoms);
  };
  const auto types = from_bytes<std::int32_t>(column(p.type));
  set_atoms(types, p.has_charges() ? from_bytes<double>(column(p.charge)) : std::vector<double>());
}

void FrameRows::select(DatasetReader& reader) {
  const auto types = reader.read_rows<std::int32_t>("atoms/type", share_);
  set_atoms(types, reader.has("atoms/charge") ? reader.read_rows<double>("atoms/charge", share_)
                                              : std::vector<double>());
}

void FrameRows::set_atoms(const std::vector<std::int32_t>& types,
                          const std::vector<double>& charges) {
  atoms_.clear(), types_.clear(), charges_.clear();
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto type = static_cast<std::size_t>(types[i]);
    if (!is_selected_.at(type)) continue;
    atoms_.push_back(share_.first + static_cast<Index>(i));
    types_.push_back(types[i]);
    charges_.push_back(!charges.empty()                    ? charges[i]
                       : type < setup_.type_charges.size() ? setup_.type_charges[type]
                                                           : 0.0);
  }
  const auto own_count = static_cast<Index>(atoms_.size());
  const auto counts = setup_.communicator.allgather(std::span<const Index>(&own_count, 1));
  total_ = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r == static_cast<std::size_t>(setup_.communicator.rank()))
      local_ = {total_, total_ + counts[r]};
    total_ += counts[r];
  }
}

std::vector<std::int64_t> FrameRows::molecules() const {
  std::vector<std::int64_t> selected;
  if (!setup_.molecules) return selected;
  const std::vector<std::int64_t> all = setup_.molecules(share_);
  for (const Index atom : atoms_)
    selected.push_back(all.at(static_cast<std::size_t>(atom - share_.first)));
  return selected;
}

std::vector<Index> FrameRows::ids() const {
  std::vector<Index> ids;
  for (const Index atom : atoms_) ids.push_back(id_of(atom));
  return ids;
}

}  // namespace gsim::md
