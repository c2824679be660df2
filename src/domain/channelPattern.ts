/** Names of channels as users ask for them: exact, or patterns in which `*` stands for any characters. */
import { MAX_CHANNELS } from "./Dictionary.ts"

export const isPattern = (name: string): boolean => name.includes("*")

/** In linear time for each of its parts, whatever a client makes of them. */
export const matches = (pattern: string, name: string): boolean => {
  const [first, ...rest] = pattern.split("*")
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first!) || name.length < first!.length + last.length || !name.endsWith(last))
    return false
  let at = first!.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}

/** Names or patterns as one text has them: between commas, with spaces around them or not. */
export const betweenCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** No session has more. */
export const MAX_WANTED = MAX_CHANNELS

/** Whether it could be the name of a channel, or a pattern of such names. */
export const isNameOrPattern = (text: string): boolean => /^[a-z0-9_*]{1,63}$/.test(text)

/** What else is refused. */
export const NAME_OR_PATTERN =
  "names of channels, or patterns of a-z, 0-9, _ and *, of at most 63 characters each"
