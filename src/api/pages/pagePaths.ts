/** The paths that have pages. The browser decides what a page shows. */
import { overlays } from "../../../web/src/overlays/catalog.ts"

/** Each page's path, as the router writes it, and its document (web/pageDocuments.ts). */
export const applicationPages = [
  ["/", "live.html"],
  ["/sessions", "sessions.html"],
  ["/sessions/:session_id(^\\d+$)", "session.html"],
  ["/sessions/:session_id(^\\d+$)/diagrams", "diagrams.html"],
  ["/import", "import.html"],
  ["/compare", "compare.html"],
  ["/statistics", "statistics.html"],
  ["/overlays", "overlays.html"],
  ["/overlays/layout", "layout.html"],
  ["/settings", "settings.html"]
] as const

/** The paths of overlays, alone and several in a layout, which have one document. */
export const overlayPaths = [...overlays.map(({ name }) => name), "layout"].map(
  (name) => `/overlay/${name}` as const
)

/** Other public paths: the API's description for people and for programs, and the files that pages load. */
const beside = ["/docs", "/openapi.json", "/favicon.svg"]

const fixed: ReadonlySet<string> = new Set([
  ...applicationPages.map(([path]) => path).filter((path) => !path.includes(":")),
  ...overlayPaths,
  ...beside
])

/**
 * Whether a path is public: the same for everybody, and without data about recordings. A path written in any other way
 * is not public.
 */
export const isPage = (path: string): boolean =>
  fixed.has(path) || /^\/(?:sessions\/\d+(?:\/diagrams)?|assets\/[\w-]+(?:\.[\w-]+)+)$/.test(path)
