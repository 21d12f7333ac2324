// gsim plot: the pictures that a configuration asks for.

#include "configuration.hpp"
#include "standard_streams.hpp"

namespace gsim::app {

int command_plot(const Session& session) {
  Configuration c = load_configuration(session);
  const Context context =
      make_context(session, c, Executor::host(static_cast<int>(c.request.options.threads)));
  std::vector<Drawing> drawings;  // rank 0's
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    drawings = c.module->draw(context);
    if (drawings.empty())
      throw InputError("module " + c.request.options.module +
                       " has no pictures; `gsim plot` draws the geometry of module transport");
  });
  for (const Drawing& drawing : drawings) {
    say("{}\n", drawing.file);
    for (const std::string& line : drawing.legend) say("  {}\n", line);
  }
  return 0;
}

}  // namespace gsim::app
