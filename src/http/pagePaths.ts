/** The paths that have pages. The browser decides what a page shows. */

/** As the router writes them. */
export const applicationPaths = [
  "/",
  "/sessions",
  "/sessions/:session_id(^\\d+$)",
  "/compare",
  "/statistics",
  "/overlays",
  "/overlays/layout",
  "/settings"
] as const

export const overlays: ReadonlyArray<string> = [
  "gauges",
  "inputs",
  "pedals",
  "revs",
  "forces",
  "delta",
  "timer",
  "sectors",
  "laps",
  "map",
  "tyres",
  "fuel",
  "versus",
  "board",
  "layout"
]

/** Other public paths: the API's description for people and for programs, and the files that pages load. */
const beside = ["/docs", "/openapi.json", "/favicon.svg"]

const fixed: ReadonlySet<string> = new Set([
  ...applicationPaths.filter((path) => !path.includes(":")),
  ...overlays.map((name) => `/overlay/${name}`),
  ...beside
])

/**
 * Whether a path is the same for everybody and tells nothing about recordings. A path written in any other way is not
 * one of them.
 */
export const isPage = (path: string): boolean =>
  fixed.has(path) || /^\/(?:sessions\/\d+|assets\/[\w-]+(?:\.[\w-]+)+)$/.test(path)
