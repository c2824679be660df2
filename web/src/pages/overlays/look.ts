/** How overlays look, as this page's address has it: with the names that the overlays' own addresses have. */
import { at } from "../../base.ts"
import { go, place, withQuery } from "../../router.ts"
import { withToken } from "../../token.ts"

export const lookNames = [
  "session_id",
  "versus",
  "against",
  "rate",
  "theme",
  "accent",
  "scale",
  "font_size",
  "plate",
  "units",
  "idle",
  "cars"
] as const

export type LookName = (typeof lookNames)[number]

export const lookOf = (name: LookName): string => place.value.query.get(name) ?? ""

export const setLook = (name: LookName, value: string) =>
  go(withQuery({ [name]: value === "" ? undefined : value }), "replace")

/** Of an overlay that looks so; `more`: what this one takes besides. */
export const addressOf = (name: string, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams()
  for (const key of lookNames) if (lookOf(key) !== "") query.set(key, lookOf(key))
  for (const [key, value] of Object.entries(more)) query.set(key, value)
  // Commas and semicolons are as good as what they are coded as, and can be read.
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3B", ";")
  return withToken(`${location.origin}${at("/overlay/")}${name}${text === "" ? "" : `?${text}`}`)
}
