/**
 * Paths are what they are: case and slashes count. A driver's name in a path may have 200 characters, each up
 * to 12 encoded.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 2400
}
