/** The pages of the navigation. */
export const pages = [
  { path: "/", title: "Live", key: "l" },
  { path: "/sessions", title: "Sessions", key: "s" },
  { path: "/import", title: "Import", key: "i" },
  { path: "/compare", title: "Compare", key: "c" },
  { path: "/statistics", title: "Statistics", key: "a" },
  { path: "/overlays", title: "Overlays", key: "o" },
  { path: "/settings", title: "Settings", key: "e" }
] as const
