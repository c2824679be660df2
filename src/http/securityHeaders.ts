/**
 * What every answer tells a browser. Data is no page: no browser is to guess that it were one, to run anything of it, or to show
 * it in a frame. Other origins may read it where CORS lets them (cors.ts); the pages have a policy of their own (pages.ts).
 */
export const securityHeaders = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}
