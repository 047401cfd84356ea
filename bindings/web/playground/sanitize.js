// Markup from templates and from the documentation of rules: text without images, forms, styles and ids.

import DOMPurify from "dompurify";

const OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ["audio", "button", "form", "img", "input", "picture", "select", "source", "style", "textarea", "video"],
  FORBID_ATTR: ["background", "class", "id", "name", "style"],
};

export function sanitize(html) {
  return DOMPurify.sanitize(html, OPTIONS);
}
