// gsim inspect: the contents of a file.

#include <cstdio>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/io/report_page.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {

int command_inspect(const Session& session) {
  std::string text;
  session.communicator.agree([&] {
    if (session.communicator.is_root()) {
      const Arguments& a = session.arguments;
      const auto warn = [](const std::string& warning) {
        print_to_stderr(fmt::format("warning: {}\n", escape_controls_by_line(warning)));
      };
      if (is_page(a.file))
        text = !a.table.empty() ? page_table(a.file, a.table)
               : a.json         ? page_json(a.file)
                                : page_text(a.file);
      else
        text = a.table.empty() ? inspect_file(a.file, a.json, warn)
                               : inspect_table(a.file, a.table, warn);
    }
  });
  std::fputs(text.c_str(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputs("\n", stdout);
  return 0;
}

}  // namespace gsim::app
