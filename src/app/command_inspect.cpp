// gsim inspect: what a file holds.

#include <cstdio>

#include "app.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::app {

int command_inspect(const Session& session) {
  std::string text;
  session.communicator.agree([&] {
    if (session.communicator.is_root()) {
      const Arguments& a = session.arguments;
      text = a.table.empty() ? inspect_file(a.file, a.json) : inspect_table(a.file, a.table);
    }
  });
  std::fputs(text.c_str(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputs("\n", stdout);
  return 0;
}

}  // namespace gsim::app
