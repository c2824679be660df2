/** The look of the overlays in this page's address, under the parameters of the overlays' own addresses. */
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

/** The address of an overlay with this look; `more`: its further parameters. */
export const addressOf = (name: string, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams()
  for (const key of lookNames) if (lookOf(key) !== "") query.set(key, lookOf(key))
  for (const [key, value] of Object.entries(more)) query.set(key, value)
  // Commas and semicolons need no escape here, and stay readable.
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%3B", ";")
  return withToken(`${location.origin}${at("/overlay/")}${name}${text === "" ? "" : `?${text}`}`)
}
