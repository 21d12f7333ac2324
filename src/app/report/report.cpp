#include "report.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/json.hpp"
#include "gsim/io/result_file.hpp"
#include "page_parts.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_picture_bytes = 8u << 20;

/// The pictures that `gsim plot` drew of the results `file`, in the order of their names.
std::vector<fs::path> pictures_of(const fs::path& file) {
  std::vector<fs::path> pictures;
  const std::string prefix = file.stem().string() + ".";
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const fs::path& path = at->path();
    const bool is_picture = path.extension() == ".png" || path.extension() == ".apng";
    if (is_picture && path.filename().string().starts_with(prefix) &&
        fs::file_size(path, none) <= most_picture_bytes)
      pictures.push_back(path);
  }
  std::sort(pictures.begin(), pictures.end());
  return pictures;
}

Json picture_json(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  return Json::object()
      .set("name", path.filename().string())
      .set("data", "data:image/png;base64," + base64(bytes));
}

/// The JSON object of a file with its pictures.
std::string file_json(const std::string& path) {
  std::string text = inspect_file(path, true);
  while (!text.empty() && text.back() != '}') text.pop_back();
  if (text.find("\"kind\":\"results\"") == std::string::npos)
    throw InputError(fmt::format("{} is not a result file of gsim", path));
  Json pictures = Json::array();
  for (const fs::path& picture : pictures_of(path)) pictures.push(picture_json(picture));
  text.pop_back();
  return text + ",\"pictures\":" + pictures.text() + "}";
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

std::string report_page(const std::vector<std::string>& files, const std::string& title) {
  std::string data = "[";
  for (const std::string& file : files) data += (data.size() > 1 ? "," : "") + file_json(file);
  return replace_marks(page_html, {{"TITLE", for_html(title)},
                                   {"CSS", page_css},
                                   {"VERSION", for_html(build_info().version)},
                                   {"DATA", for_script(data + "]")},
                                   {"JS", page_js}});
}

}  // namespace gsim::app
