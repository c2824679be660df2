/**
 * Security headers of every answer. Answers are data, not pages: a browser must not guess that one is a page, run
 * anything in it, or show it in a frame. Other origins may read it if CORS allows them (cors.ts); the pages have a
 * policy of their own (pages.ts).
 */
export const securityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}
