/** At which paths there are pages. What a page shows is decided in the browser. */

/** As the router has them. */
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

/** What there is besides: the API's description for people and for programs, and what pages are made of. */
const beside = ["/docs", "/openapi.json", "/favicon.svg"]

const fixed: ReadonlySet<string> = new Set([
  ...applicationPaths.filter((path) => !path.includes(":")),
  ...overlays.map((name) => `/overlay/${name}`),
  ...beside
])

/** What is the same for everybody, and tells nothing of what was recorded. A path that is written in another way is none of them. */
export const isPage = (path: string): boolean =>
  fixed.has(path) || /^\/(?:sessions\/\d+|assets\/[\w-]+(?:\.[\w-]+)+)$/.test(path)
