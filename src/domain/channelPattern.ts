/** Names of channels as users write them: exact, or patterns in which `*` stands for any characters. */
import { MAX_CHANNELS } from "./Dictionary.ts"

export const isPattern = (name: string): boolean => name.includes("*")

/** Takes linear time for each part of the pattern, whatever a client sends. */
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

/** Names or patterns out of one text, in which commas, with or without spaces, separate them. */
export const betweenCommas = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** A session cannot have more. */
export const MAX_WANTED = MAX_CHANNELS

/** Whether it could be the name of a channel, or a pattern of such names. */
export const isNameOrPattern = (text: string): boolean => /^[a-z0-9_*]{1,63}$/.test(text)

/** Describes what is accepted, for the error's sentence. */
export const NAME_OR_PATTERN =
  "names of channels, or patterns of a-z, 0-9, _ and *, of at most 63 characters each"
