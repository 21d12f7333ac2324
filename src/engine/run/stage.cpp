#include "gsim/engine/stage.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim {
namespace {

void describe_stage(Section& s, Stage& stage) {
  s.required("name", stage.name,
             {.doc = "name of the stage, and of its files NAME.STAGE.h5; the last stage has the "
                     "files of the run"});
  s.optional(
      "set", stage.set,
      {.doc = "overrides of the other keys, as with --set: KEY=VALUE. {STAGE} is the path of "
              "the files of an earlier stage without extension, {STAGE:TABLE/COLUMN[ROW]} a "
              "value of its results"});
  stage.keys = s.locations();
}

void validate_stage(const Section& s, Stage& stage) {
  const std::string& name = stage.name;
  const auto is_allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  };
  if (name.empty() || name.starts_with('.') || !std::all_of(name.begin(), name.end(), is_allowed))
    s.fail("name", fmt::format("`{}` is not a name for files", excerpt(name)),
           "use letters, digits, _ . and -");
  for (const std::string& assignment : stage.set)
    if (assignment.find('=') == std::string::npos || assignment.starts_with('='))
      s.fail("set", fmt::format("`{}` is not KEY=VALUE", excerpt(assignment)));
}

}  // namespace

void describe_stages(Section& top, std::vector<Stage>& stages) {
  top.tables("stage", stages, validated(describe_stage, validate_stage),
             "runs that follow one another, each with the keys outside of these tables and with "
             "its own overrides");
}

}  // namespace gsim
