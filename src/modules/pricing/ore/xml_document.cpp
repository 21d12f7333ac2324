#include "src/modules/pricing/ore/xml_document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"
#include "src/modules/pricing/ore/xml/xml_functions.hpp"
#include "src/modules/pricing/side_library.hpp"

namespace gsim::pricing {

struct XmlTree {
  TextSource source;
  ParsedXml parsed;
  std::vector<std::vector<int>> children;  ///< of each node
  std::vector<std::uint8_t> is_read, is_text_read;
  std::vector<std::vector<std::string>> attributes_read;  ///< only where there are attributes
  std::map<std::string, int> ignored;

  const XmlNode& node(int i) const { return parsed.nodes[static_cast<std::size_t>(i)]; }
  const std::vector<int>& children_of(int i) const { return children[static_cast<std::size_t>(i)]; }
};

namespace {

constexpr std::size_t max_xml_bytes = 256'000'000;
constexpr std::size_t max_reported = 10;

const SideFunction& parser() {
  static const SideFunction function = load_side_function("libgsim_xml.so", parse_xml_name);
  return function;
}

[[noreturn]] void fail_at(const TextSource& source, std::size_t offset, const std::string& problem,
                          const std::string& suggestion = {}) {
  throw ConfigError(source.location(std::min(offset, source.text().size())), problem, suggestion);
}

/// pugixml accepts any bytes.
void check_utf8(const TextSource& source) {
  std::string_view text = source.text();
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Utf8Character c = decode_utf8(text.substr(at));
    if (!c.valid) fail_at(source, at, "this byte is not UTF-8 text", "save the file as UTF-8");
    at += static_cast<std::size_t>(c.bytes);
  }
}

/// The length of the entity or character reference at the start of `text`; 0 if it is none of XML.
std::size_t reference_length(std::string_view text) {
  for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"})
    if (text.starts_with(known)) return known.size();
  const std::size_t end = text.substr(0, 12).find(';');
  if (!text.starts_with("&#") || end == std::string_view::npos) return 0;
  const bool is_hex = text[2] == 'x';
  const std::string_view digits = text.substr(is_hex ? 3 : 2, end - (is_hex ? 3 : 2));
  const std::string_view allowed = is_hex ? "0123456789abcdefABCDEF" : "0123456789";
  return digits.empty() || digits.find_first_not_of(allowed) != std::string_view::npos ? 0
                                                                                       : end + 1;
}

/// pugixml leaves unknown entities as they are.
void check_entities(const TextSource& source) {
  const std::string_view text = source.text();
  for (std::size_t at = text.find_first_of("&<"); at != std::string_view::npos;
       at = text.find_first_of("&<", at)) {
    std::size_t end = at + 1;
    if (text[at] == '&') {
      const std::size_t length = reference_length(text.substr(at));
      if (length == 0)
        fail_at(source, at, "an & that begins none of XML's own entities", "write &amp;");
      end = at + length;
    } else if (text.substr(at).starts_with("<!--")) {
      end = text.find("-->", at + 4);
    } else if (text.substr(at).starts_with("<![CDATA[")) {
      end = text.find("]]>", at);
    }
    at = std::min(end, text.size());
  }
}

bool is_blank(const XmlTree& tree, int i) {
  const XmlNode& node = tree.node(i);
  return node.text.empty() && node.attributes.empty() &&
         std::all_of(tree.children_of(i).begin(), tree.children_of(i).end(),
                     [&](int child) { return is_blank(tree, child); });
}

std::string path_below(const XmlTree& tree, int i, int top) {
  std::string path(tree.node(i).name);
  for (int p = tree.node(i).parent; p != top && p >= 0; p = tree.node(p).parent)
    path.insert(0, std::string(tree.node(p).name) + "/");
  return path;
}

/// An element or attribute that was not read.
struct Unread {
  std::size_t offset;
  int length;
  std::string text;
};

void collect_unread(const XmlTree& tree, int i, int top, std::vector<Unread>& list) {
  const auto at = static_cast<std::size_t>(i);
  const XmlNode& node = tree.node(i);
  const auto add = [&](std::size_t offset, std::string_view name, std::string text) {
    list.push_back({offset, display_width(name), std::move(text)});
  };
  if (!tree.is_read[at] && i != top)
    return add(node.offset, node.name, fmt::format("<{}>", excerpt(path_below(tree, i, top))));
  for (const XmlAttribute& a : node.attributes)
    if (std::find(tree.attributes_read[at].begin(), tree.attributes_read[at].end(), a.name) ==
        tree.attributes_read[at].end())
      add(a.offset, a.name,
          fmt::format("the attribute {} of <{}>", excerpt(a.name), excerpt(node.name)));
  if (!node.text.empty() && !tree.is_text_read[at])
    add(node.offset, node.name, fmt::format("the text in <{}>", excerpt(node.name)));
  for (const int child : tree.children_of(i)) collect_unread(tree, child, top, list);
}

}  // namespace

bool has_xml() { return parser().function != nullptr; }

XmlDocument::XmlDocument(const InputFile& file, std::string_view root)
    : tree_(std::make_unique<XmlTree>(
          XmlTree{TextSource(file.path, file.text), {}, {}, {}, {}, {}, {}})) {
  XmlTree& tree = *tree_;
  if (!has_xml())
    throw ConfigError(
        SourceLocation{file.path, 0, 0, {}},
        fmt::format("XML files need pugixml, and libgsim_xml.so, which gsim builds with it, is not "
                    "available ({})",
                    parser().problem),
        "install libpugixml-dev and build gsim again, or give market and trades in TOML and CSV");
  const std::string& text = tree.source.text();
  if (text.size() > max_xml_bytes)
    throw ConfigError(SourceLocation{file.path, 0, 0, {}},
                      fmt::format("the file has {} MB, and an XML file at most {}",
                                  text.size() / 1000000, max_xml_bytes / 1000000),
                      "split it");
  check_utf8(tree.source);
  const std::unique_ptr<ParsedXml> parsed(
      reinterpret_cast<ParseXml*>(parser().function)(text.data(), text.size()));
  if (!parsed->problem.empty())
    fail_at(tree.source, parsed->offset, "this is not valid XML: " + parsed->problem);
  check_entities(tree.source);
  tree.parsed = std::move(*parsed);
  const std::size_t n = tree.parsed.nodes.size();
  tree.children.resize(n);
  tree.is_read.resize(n);
  tree.is_text_read.resize(n);
  tree.attributes_read.resize(n);
  for (std::size_t i = 1; i < n; ++i)
    tree.children[static_cast<std::size_t>(tree.parsed.nodes[i].parent)].push_back(
        static_cast<int>(i));
  if (const XmlNode& top = tree.node(0); top.name != root)
    fail_at(tree.source, top.offset,
            fmt::format("the file holds <{}>, not <{}>", excerpt(top.name), root),
            "is it another file of Open Source Risk Engine?");
  tree.is_read[0] = 1;
}

XmlDocument::~XmlDocument() = default;

XmlElement XmlDocument::root() const { return {*tree_, 0}; }

void XmlDocument::warn_of_ignored(std::vector<std::string>& warnings) const {
  std::string list;
  for (const auto& [path, count] : tree_->ignored)
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", path, count);
  if (!list.empty())
    warnings.push_back(fmt::format("{}: elements that do not change prices were ignored: {}",
                                   root().location().file, list));
}

std::string XmlElement::name() const { return std::string(tree_->node(position_).name); }

TextPlace XmlElement::place() const {
  const XmlNode& node = tree_->node(position_);
  return {&tree_->source, node.offset, display_width(node.name)};
}

void XmlElement::fail(const std::string& problem, const std::string& suggestion) const {
  throw ConfigError(location(), problem, suggestion);
}

std::vector<XmlElement> XmlElement::all(std::string_view child) const {
  std::vector<XmlElement> list;
  for (const int i : tree_->children_of(position_))
    if (tree_->node(i).name == child) {
      tree_->is_read[static_cast<std::size_t>(i)] = 1;
      list.emplace_back(*tree_, i);
    }
  return list;
}

std::vector<XmlElement> XmlElement::children() const {
  std::vector<XmlElement> list;
  for (const int i : tree_->children_of(position_)) {
    tree_->is_read[static_cast<std::size_t>(i)] = 1;
    list.emplace_back(*tree_, i);
  }
  return list;
}

bool XmlElement::has(std::string_view child) const {
  bool found = false;
  for (const XmlElement& element : all(child))
    found = found || !is_blank(*tree_, element.position_);
  return found;
}

XmlElement XmlElement::get(std::string_view child) const {
  const std::vector<XmlElement> list = all(child);
  if (list.empty()) fail(fmt::format("<{}> has no <{}>", excerpt(name()), child));
  if (list.size() > 1) list[1].fail(fmt::format("a second <{}> in <{}>", child, excerpt(name())));
  return list.front();
}

std::string XmlElement::text() const {
  tree_->is_text_read[static_cast<std::size_t>(position_)] = 1;
  const XmlNode& node = tree_->node(position_);
  if (!tree_->children_of(position_).empty())
    fail(fmt::format("<{}> holds elements where a text is expected", excerpt(node.name)));
  if (node.text.empty()) fail(fmt::format("<{}> is empty", excerpt(node.name)));
  return std::string(node.text);
}

std::string XmlElement::text(std::string_view child, const std::string& or_default) const {
  return has(child) ? get(child).text() : or_default;
}

double XmlElement::number() const {
  const std::string digits = text();
  double value = 0;
  const char* first = digits.data() + (digits.starts_with('+') ? 1 : 0);
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value))
    fail(fmt::format("<{}> must be a number, not \"{}\"", excerpt(name()), excerpt(digits)));
  return value;
}

std::string XmlElement::attribute(std::string_view attribute_name) const {
  for (const XmlAttribute& a : tree_->node(position_).attributes)
    if (a.name == attribute_name) {
      tree_->attributes_read[static_cast<std::size_t>(position_)].emplace_back(a.name);
      return std::string(a.value);
    }
  return {};
}

void XmlElement::ignore(std::string_view child) const {
  for (const XmlElement& element : all(child)) {
    element.ignore_unread();
    if (!is_blank(*tree_, element.position_))
      ++tree_->ignored[path_below(*tree_, element.position_, 0)];
  }
}

void XmlElement::ignore_unread() const {
  const auto at = static_cast<std::size_t>(position_);
  tree_->is_read[at] = tree_->is_text_read[at] = 1;
  for (const XmlAttribute& a : tree_->node(position_).attributes)
    tree_->attributes_read[at].emplace_back(a.name);
  for (const int child : tree_->children_of(position_)) XmlElement(*tree_, child).ignore_unread();
}

void XmlElement::refuse_unread() const {
  std::vector<Unread> list;
  collect_unread(*tree_, position_, position_, list);
  if (list.empty()) return;
  ConfigError error(tree_->source.location(list.front().offset, list.front().length),
                    list.front().text + " is not understood");
  for (std::size_t i = 1; i < std::min(list.size(), max_reported); ++i)
    error.add_line(fmt::format("nor is {}, {}", list[i].text,
                               to_string(tree_->source.location(list[i].offset))));
  if (list.size() > max_reported)
    error.add_line(fmt::format("nor are {} others", list.size() - max_reported));
  throw error;
}

}  // namespace gsim::pricing
