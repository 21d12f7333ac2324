#include "gsim/core/digest.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {
namespace {

void add(Digest& digest, std::span<const double> values) { digest.add(values.size()).add(values); }
void add(Digest& digest, const Vector3& v) { digest.add(v.x).add(v.y).add(v.z); }

void add(Digest& digest, const MeshConfig& mesh) {
  digest.add(static_cast<std::int32_t>(mesh.kind)).add(mesh.along);
  for (const auto& bounds : mesh.bounds) add(digest, bounds);
  add(digest, mesh.origin);
}

void add(Digest& digest, const TallyAxis& axis, const TallyPlan& plan) {
  digest.add(axis.kind->number).add(axis.bins).add(axis.names.size());
  for (const std::string& name : axis.names) digest.add(name);
  add(digest, axis.bounds);
  digest.add(axis.is_by_group ? 1 : 0).add(axis.quantity == "surface_cosine" ? 1 : 0);
  add(digest, axis.direction);
  if (!axis.data.empty()) {  // data of each bin in turn
    digest.add(axis.data.size() * axis.data.front().values.size());
    for (std::size_t bin = 0; bin < axis.data.front().values.size(); ++bin)
      for (const FilterBins::Data& data : axis.data) digest.add(data.values[bin]);
  }
  if (axis.mesh >= 0) add(digest, plan.meshes[static_cast<std::size_t>(axis.mesh)]);
  if (axis.kind->number >= 0) return;
  digest.add(axis.kind->name).add(axis.quantity).add(std::span(axis.map));
}

}  // namespace

std::string definition_of(const TallyPlan& plan, std::size_t tally) {
  const TallyModel& model = plan.tallies[tally];
  Digest digest;
  digest.add(model.name).add(static_cast<std::int32_t>(model.estimator));
  for (std::size_t i = 0; i < model.scores.size(); ++i) {
    digest.add(std::string(model.scores[i]->name));
    // A score without a fixed unit of sums (sum_unit 0) derives it from its largest response.
    if (model.scores[i]->sum_unit == 0) digest.add(model.score_names[i]).add(model.units[i]);
  }
  for (const TallyAxis& axis : model.axes) add(digest, axis, plan);
  // Responses by material and group: cross sections times the tally's own response.
  const TallyArrays& a = plan.arrays;
  for (std::size_t t = 0; t < a.tallies.size(); ++t) {
    if (a.models[t] != static_cast<std::int32_t>(tally)) continue;
    const auto first = static_cast<std::size_t>(a.tallies[t].first_score);
    const auto last = first + static_cast<std::size_t>(a.tallies[t].scores);
    const auto begin = static_cast<std::size_t>(a.scores[first].first_response);
    const auto end = last < a.scores.size()
                         ? static_cast<std::size_t>(a.scores[last].first_response)
                         : a.responses.size();
    add(digest, std::span(a.responses).subspan(begin, end - begin));
  }
  return hex(digest.value());
}

}  // namespace gsim::transport
