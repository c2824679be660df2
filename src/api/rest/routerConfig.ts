/**
 * Paths are taken literally: case and slashes count. A driver's name in a path may have 200 characters, each encoded in
 * up to 12.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 2400
}
