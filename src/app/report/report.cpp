#include "report.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"
#include "page_parts.hpp"
#include "report_pictures.hpp"

namespace gsim::app {
namespace {

/// The module whose run wrote the results; empty if they do not name it.
std::string module_of(const std::string& path) {
  const ResultReader file(Communicator::self(), path);
  return file.has_attribute("provenance", "module") ? file.attribute("provenance", "module")
                                                    : std::string();
}

/// The JSON object of a file, with its pictures if `has_pictures` is set.
std::string file_json(const Session& session, const std::string& path, bool has_pictures) {
  std::string text = inspect_file(path, true);
  while (!text.empty() && text.back() != '}') text.pop_back();
  if (text.find("\"kind\":\"results\"") == std::string::npos)
    throw InputError(fmt::format("{} is not a result file of gsim", path));
  ReportPictures drawn;
  if (has_pictures) drawn = report_pictures(session, path, module_of(path));
  text.pop_back();
  return text + fmt::format(R"(,"pictures":{},"frames":{},"problems":{}}})", drawn.pictures.text(),
                            drawn.frames.text(), drawn.problems.text());
}

/// JSON for a script element of HTML: no "<", so that nothing in it ends the element.
std::string for_script(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string for_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

/// `text` with each @NAME@ replaced by parts.at(NAME); what replaces one is not searched again.
std::string replace_marks(const std::string& text,
                          const std::map<std::string, std::string>& parts) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text[at] == '@' ? text.find('@', at + 1) : std::string::npos;
    const auto part =
        end == std::string::npos ? parts.end() : parts.find(text.substr(at + 1, end - at - 1));
    if (part == parts.end()) {
      out += text[at++];
    } else {
      out += part->second;
      at = end + 1;
    }
  }
  return out;
}

}  // namespace

std::string base64(const std::string& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(bytes.size() - i, 3);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string report_page(const Session& session, const std::vector<std::string>& files,
                        const std::string& title, bool has_pictures) {
  std::string data = "[";
  for (const std::string& file : files)
    data += (data.size() > 1 ? "," : "") + file_json(session, file, has_pictures);
  return replace_marks(page_html, {{"TITLE", for_html(title)},
                                   {"CSS", page_css},
                                   {"VERSION", for_html(build_info().version)},
                                   {"DATA", for_script(data + "]")},
                                   {"JS", page_js}});
}

}  // namespace gsim::app
