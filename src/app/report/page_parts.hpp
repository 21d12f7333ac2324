#pragma once
// The files page.html, page.css and page.js of this folder, compiled into the program.

namespace gsim::app {

extern const char* const page_html;
extern const char* const page_css;
extern const char* const page_js;

}  // namespace gsim::app
