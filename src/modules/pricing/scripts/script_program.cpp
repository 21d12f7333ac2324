#include "src/modules/pricing/scripts/script_program.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "src/modules/pricing/scripts/script_compiler.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t max_segments = 64;

/// Adds the states to the program, each with its values at the start.
ScriptRegisters add_states(const Script& script, const ScriptTerms& terms, ScriptProgram& program) {
  ScriptRegisters registers;
  registers.of_symbol.assign(script.symbols.size(), -1);
  program.initial = {0};
  if (script.calls) {
    program.alive = 1;
    program.initial.push_back(1);
  }
  if (script.exercises) {
    program.exercise = static_cast<int>(program.initial.size());
    program.initial.push_back(-std::numeric_limits<double>::infinity());
  }
  const std::size_t own = program.initial.size();
  SegmentCompiler compiler(script, terms, registers, 0, program);
  for (std::size_t s = 0; s < script.symbols.size(); ++s) {
    const ScriptSymbol& symbol = script.symbols[s];
    if (symbol.kind != ScriptSymbol::Kind::state) continue;
    registers.of_symbol[s] = static_cast<std::int32_t>(program.initial.size());
    const bool is_per_asset = symbol.shape == ScriptSymbol::Shape::per_asset;
    if (!is_per_asset)
      program.initial.push_back(compiler.constant(symbol.initial.front(), std::nullopt));
    for (std::size_t a = 0; is_per_asset && a < terms.assets.size(); ++a)
      program.initial.push_back(compiler.constant(symbol.initial.front(), a));
    if (program.initial.size() > std::size_t{script_max_registers} / 2)
      script.text.fail(symbol.at,
                       fmt::format("the states of the script have more than {} values for this "
                                   "trade",
                                   std::size_t{script_max_registers} / 2 - own),
                       "use fewer states or assets");
  }
  program.registers = static_cast<int>(program.initial.size());
  return registers;
}

/// What distinguishes an event's instructions from those of others: for each block whether it is
/// executed and, where its statements ask for that, as the first or last of its dates.
std::string key_of(const Script& script, const ScriptTerms& terms, double date) {
  std::string key;
  for (const ScriptBlock& block : script.blocks) {
    const std::vector<double>& schedule = terms.schedules[block.schedule];
    const Index k = position_in(schedule, date);
    if (k < 0) {
      key += '-';
      continue;
    }
    const bool is_last = k + 1 == static_cast<Index>(schedule.size());
    const int flags = (block.reads_first && k == 0 ? 1 : 0) + (block.reads_last && is_last ? 2 : 0);
    key += static_cast<char>('0' + flags);
  }
  return key;
}

}  // namespace

ScriptProgram compile_script(const Script& script, const ScriptTerms& terms) {
  ScriptProgram program;
  const ScriptRegisters registers = add_states(script, terms, program);
  std::map<std::string, std::size_t> segments;
  for (std::size_t e = 0; e < terms.events.size(); ++e) {
    const auto [at, is_new] =
        segments.emplace(key_of(script, terms, terms.events[e]), program.segments.size());
    program.segment_of_event.push_back(at->second);
    if (!is_new) continue;
    if (segments.size() > max_segments)
      script.text.fail(
          {}, fmt::format("the schedules of the trade overlap in more than {} ways", max_segments));
    SegmentCompiler compiler(script, terms, registers, e, program);
    program.is_exercisable.push_back(compiler.is_exercisable());
    program.segments.push_back(compiler.run());
  }
  return program;
}

std::vector<double> encode_program(const ScriptProgram& p, std::size_t first, std::size_t count,
                                   std::span<const double> initial,
                                   const std::vector<std::vector<double>>& growth, ScriptEnd end) {
  std::vector<std::vector<ScriptInstruction>> segments = p.segments;
  std::vector<std::size_t> segment_of_event(
      p.segment_of_event.begin() + static_cast<Index>(first),
      p.segment_of_event.begin() + static_cast<Index>(first + count));
  if (end != ScriptEnd::payments) {  // a further segment, of the last event
    std::vector<ScriptInstruction> last = segments[segment_of_event.back()];
    last.push_back(end == ScriptEnd::exercise
                       ? ScriptInstruction{ScriptOperation::copy, 0, p.exercise, 0, 0}
                       : ScriptInstruction{ScriptOperation::maximum, 0, 0, p.exercise, 0});
    segment_of_event.back() = segments.size();
    segments.push_back(std::move(last));
  }
  std::vector<double> numbers(script_header_size);
  numbers[script_registers] = p.registers;
  numbers[script_states] = static_cast<double>(initial.size());
  numbers[script_constants] = static_cast<double>(p.constants.size());
  numbers[script_segments] = static_cast<double>(segments.size());
  numbers[script_tables] = static_cast<double>(p.tables.size());
  numbers.insert(numbers.end(), initial.begin(), initial.end());
  numbers.insert(numbers.end(), p.constants.begin(), p.constants.end());
  for (const std::size_t segment : segment_of_event)
    numbers.push_back(static_cast<double>(segment));
  std::size_t start = 0;
  for (const auto& segment : segments) {
    numbers.push_back(static_cast<double>(start));
    start += segment.size();
  }
  numbers.push_back(static_cast<double>(start));
  for (std::size_t t = 0; t < p.tables.size(); ++t) {
    const std::vector<double>& values = p.tables[t].values;
    if (p.tables[t].is_growth())
      numbers.insert(numbers.end(), growth[t].begin(), growth[t].end());
    else
      numbers.insert(numbers.end(), values.begin() + static_cast<Index>(first),
                     values.begin() + static_cast<Index>(first + count));
  }
  for (const auto& segment : segments)
    for (const ScriptInstruction& i : segment) {
      numbers.push_back(first_word(i));
      numbers.push_back(second_word(i));
    }
  return numbers;
}

}  // namespace gsim::pricing
