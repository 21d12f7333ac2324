// The library libgsim_xml.so, the only one that is linked with pugixml.

#include <algorithm>
#include <deque>
#include <pugixml.hpp>

#include "src/modules/pricing/ore/xml/xml_functions.hpp"

namespace gsim::pricing {
namespace {

struct Document {
  pugi::xml_document xml;
  std::deque<std::string> texts;  ///< of elements whose text is in pieces, around comments
};

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_text(const pugi::xml_node& node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}

std::string_view text_of(const pugi::xml_node& element, Document& document) {
  std::string_view text;
  bool is_joined = false;
  for (const pugi::xml_node& child : element.children()) {
    if (!is_text(child)) continue;
    const std::string_view piece = child.value();
    if (text.empty()) {
      text = piece;
    } else if (!piece.empty()) {
      if (!is_joined) document.texts.emplace_back(text);
      is_joined = true;
      document.texts.back() += piece;
      text = document.texts.back();
    }
  }
  return without_blanks(text);
}

std::size_t offset_of(const pugi::xml_node& node) {
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

/// Fills `result.nodes`, without recursion.
void collect(Document& document, std::string_view text, ParsedXml& result) {
  pugi::xml_node node = document.xml.document_element();
  int parent = -1, depth = 1;
  while (node) {
    if (depth > max_xml_depth) {
      result.problem = "elements are nested more deeply than 64 levels";
      result.offset = offset_of(node);
      return;
    }
    XmlNode& added = result.nodes.emplace_back();
    added = {node.name(), text_of(node, document), offset_of(node), parent, {}};
    for (const pugi::xml_attribute& a : node.attributes()) {
      if (std::any_of(added.attributes.begin(), added.attributes.end(),
                      [&](const XmlAttribute& other) { return other.name == a.name(); })) {
        result.problem = "an attribute is given twice";
        result.offset = added.offset;
        return;
      }
      added.attributes.push_back({a.name(), a.value(), text.find(a.name(), added.offset)});
    }
    const auto is_element = [](const pugi::xml_node& n) { return n.type() == pugi::node_element; };
    if (const pugi::xml_node child = node.find_child(is_element)) {
      parent = static_cast<int>(result.nodes.size()) - 1;
      ++depth;
      node = child;
      continue;
    }
    const auto next = [&](pugi::xml_node n) {
      do n = n.next_sibling();
      while (n && !is_element(n));
      return n;
    };
    pugi::xml_node sibling = next(node);
    while (!sibling && parent >= 0) {
      node = node.parent();
      parent = result.nodes[static_cast<std::size_t>(parent)].parent;
      --depth;
      if (depth > 1) sibling = next(node);
    }
    node = sibling;
  }
}

}  // namespace

extern "C" ParsedXml* gsim_parse_xml(const char* text, std::size_t bytes) {
  auto result = std::make_unique<ParsedXml>();
  auto document = std::make_shared<Document>();
  const pugi::xml_parse_result parsed = document->xml.load_buffer(
      text, bytes,
      pugi::parse_default | pugi::parse_doctype | pugi::parse_declaration |
          pugi::parse_fragment,  // keeps text outside the root element
      pugi::encoding_utf8);
  const auto fail = [&](std::string problem, std::size_t offset) {
    result->problem = std::move(problem);
    result->offset = offset;
  };
  if (!parsed) {
    fail(parsed.description(),
         static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)));
    return result.release();
  }
  int roots = 0;
  for (const pugi::xml_node& node : document->xml.children()) {
    if (node.type() == pugi::node_doctype)
      fail("a document type, which may define entities, is not supported; remove <!DOCTYPE …>",
           std::string_view(text, bytes).find("<!DOCTYPE"));
    else if (node.type() == pugi::node_element && ++roots > 1)
      fail("a second root element", offset_of(node));
    else if (is_text(node))
      fail("text outside the root element",
           std::string_view(text, bytes).find_first_not_of(" \t\r\n", offset_of(node)));
    if (!result->problem.empty()) return result.release();
  }
  if (roots == 0) {
    fail("No document element found", 0);
    return result.release();
  }
  collect(*document, {text, bytes}, *result);
  result->document = document;
  return result.release();
}

}  // namespace gsim::pricing
