/** The declaration of one channel, as a schema (channels.md, section 3). */
import { Either, Schema } from "effect"
import { type ChannelDeclaration, channelKinds } from "../../../domain/Dictionary.ts"
import { toName } from "../../../domain/text.ts"
import { optional, record, wrongIn } from "./envelopes.ts"

/** The maximum length of the name of a group or channel, in characters: a dictionary takes no longer one. */
export const MAX_GROUP_NAME = 63
const MAX_UNIT = 32
const MAX_DESCRIPTION = 256
const MAX_LABELS = 64
/** The maximum length of a label, and of its code. */
const MAX_LABEL = 64

/** Whether the text has at most this many characters, as `toName` counts them. */
const isWithin = (text: string, longest: number) =>
  text.length <= longest || (text.length <= 2 * longest && [...text].length <= longest)

const text = (longest: number) =>
  Schema.String.pipe(
    Schema.filter((said) => isWithin(said, longest), { message: () => `longer than ${longest} characters` })
  )

const Labels = Schema.Record({ key: Schema.String, value: text(MAX_LABEL) }).pipe(
  Schema.filter((labels) => Object.keys(labels).length <= MAX_LABELS, {
    message: () => `more than ${MAX_LABELS} labels`
  }),
  Schema.filter((labels) => Object.keys(labels).every((code) => isWithin(code, MAX_LABEL)), {
    message: () => `a code longer than ${MAX_LABEL} characters`
  })
)

const Channel = Schema.Struct({
  name: text(MAX_GROUP_NAME),
  unit: optional(text(MAX_UNIT)),
  kind: optional(Schema.Literal(...channelKinds)),
  description: optional(text(MAX_DESCRIPTION)),
  labels: optional(Labels)
})

const decode = Schema.decodeUnknownEither(Channel)

const cleaned = (labels: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(labels).map(([code, label]) => [toName(code, MAX_LABEL), toName(label, MAX_LABEL)])
  )

/** A list of labels has one for each code, from 0 on. */
const withCodes = (said: unknown): unknown => {
  const labels = record(said)?.["labels"]
  return Array.isArray(labels) ? { ...record(said), labels: Object.fromEntries(labels.entries()) } : said
}

/** The channel with its texts cleaned as names of feeds are, or a function that explains the problem, which takes a while. */
export const readChannel = (said: unknown): ChannelDeclaration | (() => string) => {
  const channel = decode(withCodes(said))
  if (Either.isLeft(channel)) return () => `a channel: ${wrongIn(channel.left)}`
  const { description, kind, labels, name, unit } = channel.right
  return {
    name,
    unit: unit == null ? undefined : toName(unit, MAX_UNIT),
    kind: kind ?? undefined,
    description: description == null ? undefined : toName(description, MAX_DESCRIPTION),
    labels: labels == null ? undefined : cleaned(labels)
  }
}
