/** The path of the service on its host: `/`, or the path below which a proxy serves it. The service writes it into its documents. */
export const base = document.documentElement.dataset["base"] ?? "/"

/** The address on the host of a path of the service (`/sessions`). */
export const at = (path: string): string => base + path.slice(1)

/** The path of the service in an address's path on the host. */
export const without = (pathname: string): string =>
  pathname.startsWith(base) ? pathname.slice(base.length - 1) : "/"
