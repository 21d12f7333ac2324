// gsim plot: the pictures of a configuration, or a picture of a field that a run wrote.

#include <fmt/format.h>

#include "src/app/input/configuration.hpp"
#include "src/app/pictures/field_picture.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

void print_drawings(const std::vector<Drawing>& drawings) {
  for (const Drawing& drawing : drawings) {
    print_out("{}\n", drawing.file);
    for (const std::string& line : drawing.legend) print_out("  {}\n", line);
  }
}

/// Options of one kind of picture are refused for the other kind.
void check_options(const Arguments& a) {
  if (is_field_file(a.config)) {
    if (!a.set.empty() || !a.plugins.empty())
      throw InputError(
          fmt::format("{} is for configurations, but {} is a file of fields; leave it out, and use "
                      "--field, --slice, --step and --range to choose what is drawn",
                      a.set.empty() ? "--plugin" : "--set", a.config));
    return;
  }
  const FieldPictureOptions& p = a.picture;
  if (p.field.empty() && p.slice.empty() && p.step < 0 && p.range.empty() && p.picture.empty() &&
      !p.is_animated && p.has_frame)
    return;
  throw InputError(
      "--field, --slice, --step, --range, --picture, --film and --no-frame are for files of "
      "fields (.vtkhdf); for a configuration use its tables [[plot]]");
}

}  // namespace

int command_plot(const Session& session) {
  check_options(session.arguments);
  std::vector<Drawing> drawings;  // on rank 0
  if (is_field_file(session.arguments.config)) {
    session.communicator.agree([&] {
      if (session.communicator.is_root())
        drawings.push_back(draw_fields(session.arguments.config, session.arguments.picture));
    });
    print_drawings(drawings);
    return 0;
  }
  Configuration c = load_configuration(session);
  const Context context =
      make_context(session, c, Executor::host(static_cast<int>(c.request.options.threads)));
  session.communicator.agree([&] {
    if (!session.communicator.is_root()) return;
    drawings = c.module->draw(context);
    if (drawings.empty())
      throw InputError(
          "module " + c.request.options.module +
          " cannot draw pictures; `gsim plot` draws the geometry of module transport, and "
          "fields that a run wrote (.vtkhdf)");
  });
  print_drawings(drawings);
  return 0;
}

}  // namespace gsim::app
