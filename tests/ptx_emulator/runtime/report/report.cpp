#include "runtime/report/report.hpp"

#include <cstdarg>
#include <cstdlib>

#include <unistd.h>

#include "runtime/report/json.hpp"
#include "runtime/report/occupancy.hpp"

namespace ptxemu {
namespace {

constexpr const char* unit_names[] = {"integer", "fp32",    "fp64", "special",
                                      "memory",  "control", "warp"};
constexpr const char* memory_names[] = {"global", "local", "shared", "host"};
constexpr const char* kind_names[] = {"loads", "stores", "atomics"};
constexpr const char* direction_names[] = {"host_to_device", "device_to_host", "device_to_device",
                                           "host_to_host"};
constexpr int memories = static_cast<int>(Memory::count);
constexpr int kinds = static_cast<int>(AccessKind::count);
constexpr int units = static_cast<int>(Unit::count);

/// Adds printf-formatted text.
[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
  char line[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

unsigned long long number(std::uint64_t n) { return n; }
double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

/// Rank of the process, from the environment that MPI's launchers set.
std::string rank() {
  for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (const char* const value = std::getenv(name); value != nullptr) return value;
  return "0";
}

cudaDeviceProp properties() {
  cudaDeviceProp p;
  Runtime::instance().device(0).write_properties(p);
  return p;
}

/// Resident warps of a multiprocessor for a launch of this shape.
std::uint64_t resident_warps(const cudaDeviceProp& p, const KernelCounts& kernel,
                             const LaunchShape& shape) {
  const int blocks = resident_blocks(p, shape.threads, kernel.resources.registers,
                                     kernel.static_shared + std::uint64_t{shape.dynamic_shared});
  return static_cast<std::uint64_t>(blocks) * ((shape.threads + 31) / 32);
}

/// The largest amount of memory of a device that was in use at a time.
std::uint64_t peak_device_bytes() {
  std::uint64_t peak = 0;
  Runtime& runtime = Runtime::instance();
  for (int n = 0; n < runtime.device_count(); ++n)
    peak = std::max(peak, runtime.device(n).memory.peak());
  return peak;
}

void add_access_text(std::string& text, const TrafficCounts& traffic) {
  for (int m = 0; m < memories; ++m)
    for (int k = 0; k < kinds; ++k) {
      const AccessCounts& c = traffic.accesses[m][k];
      if (c.requests == 0) continue;
      const bool shared = static_cast<Memory>(m) == Memory::shared;
      append(text, "  %s %s: %llu requests, %.2f %s per request, %llu bytes", memory_names[m],
             kind_names[k], number(c.requests), ratio(c.parts, c.requests),
             shared ? "wavefronts" : "sectors", number(c.bytes));
      if (shared) append(text, ", %.2f extra wavefronts per request", ratio(c.extra, c.requests));
      text += '\n';
    }
}

void add_resources_text(std::string& text, const KernelCounts& kernel) {
  if (!kernel.has_resources) {
    text += "  registers, stack and machine instructions unknown: no machine code for sm_90\n";
  } else {
    const KernelResources& r = kernel.resources;
    append(text,
           "  %u registers, %u bytes of stack, of which %u are variables; %u machine "
           "instructions\n",
           r.registers, r.stack, kernel.local_bytes, r.instructions);
  }
  const cudaDeviceProp p = properties();
  const auto most = std::max_element(
      kernel.profile->shapes.begin(), kernel.profile->shapes.end(),
      [](const auto& a, const auto& b) { return a.first.blocks < b.first.blocks; });
  if (most == kernel.profile->shapes.end()) return;
  const std::uint64_t warps = resident_warps(p, kernel, most->first);
  append(text,
         "  largest launch: %llu blocks of %llu threads, %llu bytes of shared memory; occupancy "
         "%.0f %%%s\n",
         number(most->first.blocks), number(most->first.threads),
         number(kernel.static_shared + std::uint64_t{most->first.dynamic_shared}),
         100 * ratio(warps, static_cast<std::uint64_t>(p.maxThreadsPerMultiProcessor / 32)),
         kernel.has_resources ? "" : " without the limit of registers");
}

void add_kernel_text(std::string& text, const std::string& name, const KernelCounts& kernel) {
  const Counts& c = kernel.counts;
  text += "emulated GPU: " + name;
  append(text, ": %llu launches (%llu in graphs), %llu warp and %llu lane instructions (",
         number(kernel.launches), number(kernel.launches_in_graphs), number(c.warp_instructions),
         number(c.lane_instructions));
  for (int n = 0; n < units; ++n)
    append(text, "%s%s %llu", n == 0 ? "" : ", ", unit_names[n], number(c.units[n]));
  append(text, "), %llu divergent branches%s\n", number(c.divergent_branches),
         kernel.approximate ? ", approximate instructions" : "");
  append(text, "  %.1f active lanes on average\n", ratio(c.lane_instructions, c.warp_instructions));
  if (kernel.profile == nullptr) return;
  add_resources_text(text, kernel);
  const TrafficCounts& t = kernel.profile->traffic;
  add_access_text(text, t);
  append(text,
         "  sectors: L2 reads %llu, writes %llu, atomics %llu; DRAM reads %llu, writes %llu\n",
         number(t.l2_reads), number(t.l2_writes), number(t.l2_atomics), number(t.dram_reads),
         number(t.dram_writes));
  if (t.atomics != 0)
    append(text, "  global atomics on one address in a launch: at most %llu, %.1f on average\n",
           number(t.max_on_address), ratio(t.atomics, t.addresses));
}

void add_kernel_json(Json& json, const std::string& name, const KernelCounts& kernel) {
  const Counts& c = kernel.counts;
  json.open("", '{').add_text("name", name).add("launches", kernel.launches);
  json.add("launches_in_graphs", kernel.launches_in_graphs);
  if (kernel.has_resources) {
    const KernelResources& r = kernel.resources;
    json.add("registers", r.registers).add("stack_bytes", r.stack).add("frame_bytes", r.frame);
    json.add("machine_instructions", r.instructions);
  } else {
    for (const char* key : {"registers", "stack_bytes", "frame_bytes", "machine_instructions"})
      json.add_null(key);
  }
  json.add("variable_bytes", kernel.local_bytes).add("static_shared_bytes", kernel.static_shared);
  json.add("approximate", kernel.approximate);
  json.add("warp_instructions", c.warp_instructions);
  json.add("lane_instructions", c.lane_instructions);
  json.add("average_active_lanes", ratio(c.lane_instructions, c.warp_instructions));
  json.add("divergent_branches", c.divergent_branches).open("lane_instructions_by_unit", '{');
  for (int n = 0; n < units; ++n) json.add(unit_names[n], c.units[n]);
  json.close('}').open("launch_shapes", '[');
  const cudaDeviceProp p = properties();
  for (const auto& [shape, launches] : kernel.profile->shapes)
    json.open("", '{')
        .add("blocks", shape.blocks)
        .add("threads", shape.threads)
        .add("dynamic_shared_bytes", shape.dynamic_shared)
        .add("resident_warps", resident_warps(p, kernel, shape))
        .add("launches", launches)
        .close('}');
  json.close(']').open("memory", '{');
  const TrafficCounts& t = kernel.profile->traffic;
  for (int m = 0; m < memories; ++m) {
    json.open(memory_names[m], '{');
    for (int k = 0; k < kinds; ++k) {
      const AccessCounts& a = t.accesses[m][k];
      const bool shared = static_cast<Memory>(m) == Memory::shared;
      json.open(kind_names[k], '{').add("requests", a.requests).add("bytes", a.bytes);
      json.add(shared ? "wavefronts" : "sectors", a.parts);
      if (shared) json.add("extra_wavefronts", a.extra);
      json.close('}');
    }
    json.close('}');
  }
  json.close('}').open("sectors", '{').add("l2_reads", t.l2_reads).add("l2_writes", t.l2_writes);
  json.add("l2_atomics", t.l2_atomics).add("dram_reads", t.dram_reads);
  json.add("dram_writes", t.dram_writes).close('}').open("atomics", '{');
  json.add("operations", t.atomics).add("addresses", t.addresses);
  json.add("max_on_address", t.max_on_address).close('}');
  const KernelProfile::Dependences d = kernel.profile->dependences();
  json.add("waits_for_loads", d.waits_for_loads).open("dependent_on_previous", '{');
  for (int n = 0; n < units; ++n) json.add(unit_names[n], d.on_previous[n]);
  json.close('}').open("opcodes", '{');
  for (const auto& [opcode, executions] : kernel.profile->opcodes()) json.add(opcode, executions);
  json.close('}').close('}');
}

void add_synchronisations(Json& json, const char* key, const Synchronisations& s) {
  json.open(key, '{').add("number", s.number).add("waited", s.waited).close('}');
}
void add_volume(Json& json, const char* key, const Volume& v) {
  json.open(key, '{').add("number", v.number).add("bytes", v.bytes).close('}');
}

}  // namespace

std::string report_text(const Runtime& runtime) {
  std::string text;
  for (const auto& [name, kernel] : runtime.counts) add_kernel_text(text, name, kernel);
  const Activity& a = runtime.activity;
  for (int d = 0; d < static_cast<int>(Direction::count); ++d)
    for (int pinned = 0; pinned < 2; ++pinned)
      if (const Volume& v = a.copies[d][pinned]; v.number != 0)
        append(text, "emulated GPU: copies %s%s: %llu, %llu bytes\n", direction_names[d],
               pinned != 0 ? "" : " (pageable)", number(v.number), number(v.bytes));
  if (const Volume& v = a.between_devices; v.number != 0)
    append(text, "emulated GPU: copies between devices or processes: %llu, %llu bytes\n",
           number(v.number), number(v.bytes));
  append(text,
         "emulated GPU: %llu fills of %llu bytes; %llu allocations of %llu bytes, %llu frees; "
         "synchronisations (of which waited): stream %llu (%llu), device %llu (%llu), event %llu "
         "(%llu), copy %llu (%llu), free %llu (%llu); %llu waits for events followed by more work; "
         "%llu queries\n",
         number(a.fills.number), number(a.fills.bytes), number(a.device_allocations.number),
         number(a.device_allocations.bytes), number(a.device_frees), number(a.stream.number),
         number(a.stream.waited), number(a.device.number), number(a.device.waited),
         number(a.event.number), number(a.event.waited), number(a.copy.number),
         number(a.copy.waited), number(a.free.number), number(a.free.waited),
         number(a.overlapped_waits), number(a.queries));
  if (const GraphActivity& g = a.graphs; g.instantiations != 0)
    append(text,
           "emulated GPU: graphs: %llu instantiations, %llu updates, %llu launches; nodes: %llu "
           "kernels, %llu copies, %llu fills, %llu host functions\n",
           number(g.instantiations), number(g.updates), number(g.launches), number(g.kernels),
           number(g.copies), number(g.fills), number(g.host_functions));
  return text;
}

std::string report_json(const Runtime& runtime) {
  Json json;
  json.open("", '{').add("version", 1).add("process", static_cast<std::uint64_t>(getpid()));
  json.add_text("rank", rank()).add("l2_bytes", runtime.l2_bytes()).open("kernels", '[');
  for (const auto& [name, kernel] : runtime.counts)
    if (kernel.profile != nullptr) add_kernel_json(json, name, kernel);
  const Activity& a = runtime.activity;
  json.close(']').open("runtime", '{').open("copies", '{');
  for (int d = 0; d < static_cast<int>(Direction::count); ++d) {
    json.open(direction_names[d], '{');
    add_volume(json, "pageable", a.copies[d][0]);
    add_volume(json, "pinned", a.copies[d][1]);
    json.close('}');
  }
  json.close('}');
  add_volume(json, "copies_between_devices", a.between_devices);
  add_volume(json, "fills", a.fills);
  add_volume(json, "device_allocations", a.device_allocations);
  add_volume(json, "host_allocations", a.host_allocations);
  json.add("peak_device_bytes", peak_device_bytes());
  json.add("device_frees", a.device_frees).add("host_frees", a.host_frees);
  const GraphActivity& g = a.graphs;
  json.open("graphs", '{').add("instantiations", g.instantiations).add("updates", g.updates);
  json.add("launches", g.launches).add("kernels", g.kernels).add("copies", g.copies);
  json.add("fills", g.fills).add("host_functions", g.host_functions).close('}');
  json.add("queries", a.queries).add("overlapped_waits", a.overlapped_waits);
  json.open("synchronisations", '{');
  add_synchronisations(json, "stream", a.stream);
  add_synchronisations(json, "device", a.device);
  add_synchronisations(json, "event", a.event);
  add_synchronisations(json, "copy", a.copy);
  add_synchronisations(json, "free", a.free);
  json.close('}').close('}').close('}');
  return json.text() + '\n';
}

std::string report_file(const std::string& setting) {
  std::string name;
  for (std::size_t n = 0; n < setting.size(); ++n) {
    const char next = setting[n] == '%' && n + 1 < setting.size() ? setting[n + 1] : '\0';
    if (next == 'p')
      name += std::to_string(getpid());
    else if (next == 'r')
      name += rank();
    else
      name += setting[n];
    if (next == 'p' || next == 'r') ++n;
  }
  return name;
}

}  // namespace ptxemu
