/** Names of channels as users write them: exact names, or patterns in which `*` matches any characters. */
import { MAX_CHANNELS } from "./Dictionary.ts"

export const isPattern = (name: string): boolean => name.includes("*")

/** Whether the name matches the pattern. Takes linear time for each part of the pattern, whatever a client sends. */
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

/** The names or patterns in one text, in which they are separated by commas, with or without spaces. */
export const betweenCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** The maximum number of wanted names: a session cannot have more channels. */
export const MAX_WANTED = MAX_CHANNELS

/** Whether the text could be the name of a channel, or a pattern of such names. */
export const isNameOrPattern = (text: string): boolean => /^[a-z0-9_*]{1,63}$/.test(text)

/** A description of the accepted text, for the error's sentence. */
export const NAME_OR_PATTERN =
  "names of channels, or patterns of a-z, 0-9, _ and *, of at most 63 characters each"
