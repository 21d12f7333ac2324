#include "src/modules/transport/sources/source_tables.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/materials/alias_table.hpp"

namespace gsim::transport {
namespace {

std::int32_t to_index(std::size_t size) { return static_cast<std::int32_t>(size); }

void append_groups(const std::vector<double>& probability, Source& source, SourceArrays& arrays) {
  source.first_group = to_index(arrays.groups.size());
  std::size_t possible = 0, last = 0;
  for (std::size_t g = 0; g < probability.size(); ++g)
    if (probability[g] > 0) {
      ++possible;
      last = g;
    }
  GSIM_EXPECT(possible > 0);
  if (possible == 1) {
    source.group_slots = 1;
    arrays.groups.push_back({1, to_index(last), to_index(last)});
    return;
  }
  const auto slots = make_alias_table(probability);
  source.group_slots = to_index(slots.size());
  arrays.groups.insert(arrays.groups.end(), slots.begin(), slots.end());
}

void append_times(const TimeTable& table, Source& source, SourceArrays& arrays) {
  std::vector<double> weights;
  std::vector<TimeSlot> parts;
  const bool is_linear = table.densities.size() == table.times.size();
  for (std::size_t i = 0; i + 1 < table.times.size(); ++i) {
    const double p = table.densities[i], q = is_linear ? table.densities[i + 1] : p;
    const double half = (table.times[i + 1] - table.times[i]) / 2;
    weights.push_back((p + q) * half);
    TimeSlot part;
    part.middle = table.times[i] + half;
    part.half = half;
    part.slope = p + q > 0 ? (q - p) / (p + q) : 0;
    parts.push_back(part);
  }
  const auto slots = make_alias_table(weights);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    parts[i].threshold = slots[i].threshold;
    parts[i].alias = slots[i].alias;
  }
  source.first_time = to_index(arrays.times.size());
  source.time_slots = to_index(parts.size());
  arrays.times.insert(arrays.times.end(), parts.begin(), parts.end());
}

void append_admitted_cells_and_materials(const SourceConfig& c, const MaterialSet& materials,
                                         const CellsOfName& cells, Source& source,
                                         SourceArrays& arrays) {
  source.first_cell = to_index(arrays.admitted.size());
  for (const std::string& name : c.cells)
    for (const std::int32_t cell : cells(name)) arrays.admitted.push_back(cell);
  source.cells = to_index(arrays.admitted.size()) - source.first_cell;
  source.first_material = to_index(arrays.admitted.size());
  for (const std::string& name : c.materials) {
    const Index at = materials.find(name);
    if (at < 0)
      throw InputError(
          fmt::format("a source starts in material `{}`; there is none of this name", name));
    if (!c.only_fissile || materials.materials[static_cast<std::size_t>(at)].is_fissile())
      arrays.admitted.push_back(static_cast<std::int32_t>(at));
  }
  if (c.only_fissile && c.materials.empty())
    for (std::size_t i = 0; i < materials.materials.size(); ++i)
      if (materials.materials[i].is_fissile()) arrays.admitted.push_back(to_index(i));
  source.materials = to_index(arrays.admitted.size()) - source.first_material;
  if (c.only_fissile && source.materials == 0)
    throw InputError("a source is limited to fissile materials, but no material is fissile");
}

}  // namespace

SourceArrays make_source_arrays(const SourcesConfig& config, const MaterialSet& materials,
                                const CellsOfName& cells) {
  SourceArrays arrays;
  std::vector<double> strengths;
  for (const SourceConfig& c : config.list) {
    if (!c.has_distributions()) continue;
    Source source = c.source;
    append_groups(c.groups, source, arrays);
    if (source.time == SourceTime::table) append_times(c.time_table, source, arrays);
    append_admitted_cells_and_materials(c, materials, cells, source, arrays);
    arrays.sources.push_back(source);
    strengths.push_back(c.strength);
  }
  if (!strengths.empty()) arrays.choice = make_alias_table(strengths);
  return arrays;
}

SourceTables::SourceTables(const Executor& executor, const SourceArrays& a)
    : sources_(executor, a.sources),
      choice_(executor, a.choice),
      groups_(executor, a.groups),
      times_(executor, a.times),
      admitted_(executor, a.admitted) {}

SourceView SourceTables::view() const {
  SourceView v;
  v.sources = sources_.view();
  v.choice = choice_.view();
  v.groups = groups_.view();
  v.times = times_.view();
  v.admitted = admitted_.view();
  return v;
}

}  // namespace gsim::transport
