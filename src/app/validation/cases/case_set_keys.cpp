#include "case_set_keys.hpp"

#include <fmt/format.h>

namespace gsim::app {
namespace {

void describe_value(Section& s, ValueText& v) {
  s.required("name", v.name, {.doc = "name of the value"});
  s.required("formula", v.formula, {.doc = "template of a formula of the run's results"});
  s.required("reference", v.reference,
             {.doc = "reference value: template of a formula of numbers"});
  s.optional("reference_error", v.reference_error,
             {.doc = "standard error of the reference: template"});
  s.optional("tolerance", v.tolerance, {.doc = "accuracy of the reference: template"});
  s.optional("floor", v.floor,
             {.doc = "absolute difference of a sampled value that is accepted besides the "
                     "tolerance, for instance a known bias of the method: template"});
  s.optional("relative_tolerance", v.relative_tolerance,
             {.doc = "accuracy of the reference as a fraction of its value", .minimum = 0});
  s.optional("printed", v.printed,
             {.doc = "whether half a unit of the last printed digit of the reference is added to "
                     "the tolerance"});
  v.is_sampled = s.optional_table(
      "largest_error",
      [&](Section& e) {
        e.optional("quick", v.quick_error, {.doc = "largest error at --quick", .minimum = 0});
        e.required("full", v.full_error, {.doc = "largest error at --full", .minimum = 0});
      },
      "largest standard error of a sampled value with which the comparison is meaningful");
}

void validate_value(const Section& s, ValueText& v) {
  v.formula_at = s.location("formula");
  v.reference_at = s.location("reference");
  v.at = s.location("name");
  if (v.tolerance.empty() && v.relative_tolerance == 0 && !v.printed && !v.is_sampled)
    s.fail("name", "the value has no tolerance",
           "give tolerance, relative_tolerance, printed or largest_error");
}

/// The keys of a set that compares one estimate, sampled until its standard error is small enough.
void describe_estimate(Section& s, CaseSet& set, SetText& text) {
  s.optional("estimate", set.estimate,
             {.doc = "without [[value]]: name of the estimate that is compared"});
  s.optional("source_tolerance", text.tolerance,
             {.doc = "without [[value]], required: accuracy of the reference values"});
  s.optional("reference", text.reference,
             {.doc = "without [[value]], required: template of the reference value"});
  s.optional("published", text.published,
             {.doc = "without [[value]]: template of the printed value"});
  s.optional(
      "scale", text.scale,
      {.doc = "without [[value]], required: template of the scale (in pricing the spot) for the "
              "errors of results that are nearly 0"});
  s.optional_table(
      "refinement",
      [&](Section& r) {
        r.required("keys", set.refinement.keys,
                   {.doc = "configuration keys that set the number of steps"});
        r.required("quick", set.refinement.quick, {.doc = "steps at --quick", .minimum = 1});
        r.required("full", set.refinement.full, {.doc = "steps at --full", .minimum = 1});
        r.optional("order", set.refinement.order,
                   {.doc = "weak order of the scheme", .minimum = 0.5});
        r.optional("coarser", set.refinement.coarser,
                   {.doc = "step of the coarsest run, in steps of the finest", .minimum = 3});
        r.optional("extrapolate", set.refinement.extrapolate,
                   {.doc = "whether the leading term of the bias is removed"});
      },
      "how the discretisation bias is bounded");
}

/// The keys of a set that compares several values of runs of given length.
void describe_values(Section& s, CaseSet& set, SetText& text) {
  s.tables<ValueText>("value", text.values, validated(describe_value, validate_value),
                      "a value that is compared");
  s.tables<ValidationRun>(
      "run", text.runs,
      [](Section& r, ValidationRun& run) {
        r.required("name", run.name, {.doc = "name of the run in formulas"});
        r.required("settings", run.settings, {.doc = "key=value, templates"});
      },
      "one of the runs of a row");
  s.optional("standard_errors", set.standard_errors,
             {.doc = "largest accepted difference of sampled values, in standard errors",
              .minimum = 1,
              .maximum = 10});
  s.optional("full_only", set.is_long, {.doc = "whether the set is left out at --quick"});
  s.optional("foreign_file", text.foreign_file,
             {.doc = "name of a third-party file that is not distributed with gsim; its path in "
                     "templates is {foreign_file}"});
}

void validate_set(const Section& s, SetText& text) {
  text.rows_at = s.location("rows");
  text.config_at = s.location("config");
  text.reference_at = s.location("reference");
  const bool has_values = s.has("value");
  for (const char* key : {"source_tolerance", "reference", "scale"})
    if (!has_values && !s.has(key))
      s.fail(key, fmt::format("missing key `{}` at the top level", key),
             "it is required in a set without [[value]]");
  for (const char* key :
       {"estimate", "source_tolerance", "reference", "published", "scale", "refinement"})
    if (has_values && s.has(key))
      s.fail(key, fmt::format("`{}` belongs to sets without [[value]]", key),
             "leave it out, or replace the tables [[value]]");
  for (const char* key : {"run", "standard_errors", "full_only", "foreign_file"})
    if (!has_values && s.has(key))
      s.fail(key, fmt::format("`{}` belongs to sets with tables [[value]]", key), "leave it out");
}

}  // namespace

void describe_set(Section& s, CaseSet& set, SetText& text) {
  s.required("id", set.id, {.doc = "name of the set"});
  s.required("title", set.title, {.doc = "quantity that is computed"});
  s.required("citation", set.citation, {.doc = "source of the published values"});
  s.optional("check", set.check, {.doc = "how the reference was verified"});
  s.required("columns", text.columns, {.doc = "column names; {name} in a template is the entry"});
  s.required("rows", text.rows, {.doc = "one case each: its entries, separated by |"});
  s.required("name", text.name, {.doc = "name of a case: template"});
  s.required("config", text.config, {.doc = "gsim configuration of a case in TOML: template"});
  describe_values(s, set, text);
  describe_estimate(s, set, text);
  s.optional_table(
      "sampling",
      [&](Section& l) {
        l.optional("quick", text.quick, {.doc = "settings at --quick: key=value, templates"});
        l.optional("full", text.full, {.doc = "settings at --full: key=value, templates"});
      },
      "settings that --quick and --full add to the configuration");
}

void read_set(ConfigFile& file, CaseSet& set, SetText& text) {
  file.read(validated([&](Section& s) { describe_set(s, set, text); },
                      [&](const Section& s) { validate_set(s, text); }));
}

}  // namespace gsim::app
