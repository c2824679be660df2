/**
 * The service's access token (`--token`), if it has one: an overlay has it from its address, a page from the user, and this
 * browser remembers it.
 */
import { signal } from "@preact/signals"
import { without } from "./base.ts"
import { kept } from "./kept.ts"

const KEY = "token"

const ofOverlay = without(location.pathname).startsWith("/overlay/")
  ? new URLSearchParams(location.search).get(KEY)
  : null

export const token = (): string | undefined => ofOverlay ?? kept.get(KEY) ?? undefined

/** The service has refused a request without the token. */
export const isTokenWanted = signal(false)

export const keepToken = (given: string) => kept.set(KEY, given)

/** The address for requests of the browser itself, which send no header of ours. */
export const withToken = (href: string): string => {
  const given = token()
  return given === undefined
    ? href
    : `${href}${href.includes("?") ? "&" : "?"}${KEY}=${encodeURIComponent(given)}`
}
