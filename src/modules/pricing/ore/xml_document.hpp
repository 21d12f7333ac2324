#pragma once
// XML files, read strictly: every element must be read, or be ignored by name, else it is reported
// with its line. Parsed by pugixml (Debian's libpugixml-dev); without it (has_xml()) every file is
// refused. Documents are UTF-8, at most 256 MB, without document types, so without entities but the
// five of XML.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/cell_table.hpp"

namespace gsim::pricing {

/// Whether XML files can be read.
bool has_xml();

class XmlElement;
struct XmlTree;

/// A parsed file. It must outlive its elements.
class XmlDocument {
 public:
  /// Throws a ConfigError at line and column for a text that is not a document, or whose root
  /// element is not called `root`.
  XmlDocument(const InputFile& file, std::string_view root);
  ~XmlDocument();
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  XmlElement root() const;
  /// Adds a warning that lists the elements that were ignored (XmlElement::ignore()) with their
  /// paths ("Trade/Envelope/AdditionalFields") and how often; none, if none were.
  void warn_of_ignored(std::vector<std::string>& warnings) const;

 private:
  std::unique_ptr<XmlTree> tree_;
};

/// One element. Reading marks what was read.
class XmlElement {
 public:
  XmlElement(XmlTree& tree, int position) : tree_(&tree), position_(position) {}

  std::string name() const;
  TextPlace place() const;
  SourceLocation location() const { return place().location(); }

  /// Whether there is a child of that name that has content: text, attributes or children.
  bool has(std::string_view child) const;
  /// The child of that name. ConfigError if it is absent or appears more than once.
  XmlElement get(std::string_view child) const;
  /// The children of that name, of which there may be none.
  std::vector<XmlElement> all(std::string_view child) const;
  /// All children.
  std::vector<XmlElement> children() const;
  /// The element's own text. ConfigError if it has children, or if it is empty.
  std::string text() const;
  /// The text of a child; without `or_default`, it must exist.
  std::string text(std::string_view child) const { return get(child).text(); }
  std::string text(std::string_view child, const std::string& or_default) const;
  /// The number that the text of the element is.
  double number() const;
  /// An attribute; empty if it is absent.
  std::string attribute(std::string_view name) const;

  /// Children of that name do not change values: XmlDocument::warn_of_ignored() counts them.
  void ignore(std::string_view child) const;
  /// Counts this element and all below as read, after an error in it was noted.
  void ignore_unread() const;
  /// Throws one ConfigError for all elements and attributes below this one that were not read.
  void refuse_unread() const;

  [[noreturn]] void fail(const std::string& problem, const std::string& suggestion = {}) const;

 private:
  XmlTree* tree_;
  int position_;
};

}  // namespace gsim::pricing
