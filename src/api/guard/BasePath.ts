/**
 * The path below which a proxy serves this service (`--base /telemetry/`). It begins and ends with a slash; `/` is the
 * whole host.
 *
 * Some proxies pass the path on unchanged, others remove the base. So the service answers a path with the base and
 * without it. Its own paths, as it writes them (pages, the API's description), have the base.
 */
import { Context } from "effect"

export class BasePath extends Context.Reference<BasePath>()("http/BasePath", {
  defaultValue: () => "/"
}) {}

/** The address without the base, for the router and all rules. */
export const withoutBase = (base: string, url: string): string => {
  if (base === "/") return url
  if (url.startsWith(base)) return url.slice(base.length - 1)
  const bare = base.slice(0, -1)
  return url === bare || url.startsWith(`${bare}?`) ? `/${url.slice(bare.length)}` : url
}

/** A page's document, whose addresses begin with a slash, with the base before each, and in `data-base` for its scripts. */
export const withBase = (base: string, html: string): string =>
  base === "/"
    ? html
    : html.replaceAll(/(href|src)="\//g, `$1="${base}`).replace("<html ", `<html data-base="${base}" `)
