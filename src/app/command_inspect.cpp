// gsim inspect: what a file holds.

#include <cstdio>

#include "app.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::app {

int command_inspect(const Session& session) {
  std::string text;
  session.communicator.agree([&] {
    if (session.communicator.is_root()) {
      text = inspect_file(session.arguments.file, session.arguments.json);
    }
  });
  std::fputs(text.c_str(), stdout);
  if (!text.empty() && text.back() != '\n') std::fputs("\n", stdout);
  return 0;
}

}  // namespace gsim::app
