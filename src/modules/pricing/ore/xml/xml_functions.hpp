#pragma once
// What libgsim_xml.so provides. Only this library is linked with pugixml; it is loaded when a
// configuration first names an XML file.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gsim::pricing {

/// One attribute of an element.
struct XmlAttribute {
  std::string_view name, value;
  std::size_t offset = 0;
};

/// One element. Texts are without entities and without blanks at their ends; they live as long as
/// ParsedXml::document.
struct XmlNode {
  std::string_view name, text;
  std::size_t offset = 0;  ///< of the name in the file, bytes
  int parent = -1;         ///< position of the parent; -1: the root
  std::vector<XmlAttribute> attributes;
};

/// A whole document: its elements in the order of the file, the root first, or a problem and the
/// offset at which it is.
struct ParsedXml {
  std::vector<XmlNode> nodes;
  std::shared_ptr<void> document;
  std::string problem;
  std::size_t offset = 0;
};

/// Elements may be nested to this depth.
inline constexpr int max_xml_depth = 64;

/// The name of the function of libgsim_xml.so that parses a text in UTF-8, and its type.
inline constexpr const char* parse_xml_name = "gsim_parse_xml";
using ParseXml = ParsedXml*(const char* text, std::size_t bytes);  ///< the caller owns the result

}  // namespace gsim::pricing
