/**
 * The token that the service wants to be asked with (`--token`), where it wants one: an overlay has it from its address, a page
 * from who looks at it, which this browser remembers.
 */
import { signal } from "@preact/signals"
import { without } from "./base.ts"
import { kept } from "./kept.ts"

const KEY = "token"

const ofOverlay = without(location.pathname).startsWith("/overlay/")
  ? new URLSearchParams(location.search).get(KEY)
  : null

export const token = (): string | undefined => ofOverlay ?? kept.get(KEY) ?? undefined

/** The service has refused a question for want of it. */
export const isTokenWanted = signal(false)

export const keepToken = (given: string) => kept.set(KEY, given)

/** The address of what the browser opens by itself, which sends no header of ours. */
export const withToken = (href: string): string => {
  const given = token()
  return given === undefined
    ? href
    : `${href}${href.includes("?") ? "&" : "?"}${KEY}=${encodeURIComponent(given)}`
}
