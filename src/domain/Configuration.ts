import { Schema } from "effect"
import { betweenCommas, isNameOrPattern, MAX_WANTED, NAME_OR_PATTERN } from "./channelPattern.ts"
import { Games } from "./ListeningPort.ts"
import { expecting, shown } from "./messages.ts"
import { isName, namePattern, trimmedPattern } from "./text.ts"

export const Port = Schema.Int.pipe(Schema.between(1, 65535)).annotations({ identifier: "Port" })

/**
 * A name or an IPv4 address, which have no colon, or an IPv6 address, which has two or more. So a port does not match.
 */
const HOST = "(?:[A-Za-z0-9._%-]{1,253}|[A-Fa-f0-9.]{0,39}:[A-Fa-f0-9.]{0,39}:[A-Za-z0-9._:%-]{0,170})"
const withPort = /^\s*(?:\[([^\]]+)\]|([^:]+)):(\d+)\s*$/
const host = new RegExp(`^${HOST}$`)

/** A host as users write it: a name, an IPv4 or an IPv6 address. */
export const Host = Schema.Trim.pipe(Schema.filter((text) => host.test(text))).annotations({
  identifier: "Host",
  ...expecting((actual) => {
    const [, six, name, port] = (typeof actual === "string" && withPort.exec(actual)) || []
    const alone = six ?? name
    return alone === undefined
      ? "a host name or an IP address"
      : `a host name or an IP address alone (${shown(alone)}, with ${port} as the port)`
  }),
  jsonSchema: {
    type: "string",
    pattern: trimmedPattern(HOST),
    description: "A host name or an IP address. The service removes spaces around it"
  }
})

export const MAX_NAME = 200

/** A name as users give them, trimmed. */
export const Name = Schema.Trim.pipe(Schema.filter((text) => isName(text, MAX_NAME))).annotations({
  identifier: "Name",
  ...expecting(`1 to ${MAX_NAME} characters of text`),
  jsonSchema: {
    type: "string",
    pattern: namePattern(MAX_NAME),
    description: `1 to ${MAX_NAME} characters, none of them a control character. The service removes spaces around them`
  }
})

export const ExportFormat = Schema.Literal("csv", "json")
export type ExportFormat = typeof ExportFormat.Type

const MAX_EXPORT_CHANNELS = 64 * MAX_WANTED
const CHANNEL = "[a-z0-9_*]{1,63} *"

const areChannels = (text: string): boolean => {
  if (text.length > MAX_EXPORT_CHANNELS || !/^[a-z0-9_*, ]*$/.test(text)) return false
  const names = betweenCommas(text)
  return names.length <= MAX_WANTED && names.every(isNameOrPattern)
}

/** The channels in files of `auto_export`, as one text: names or patterns separated by commas. */
const ExportChannels = Schema.String.pipe(Schema.filter(areChannels)).annotations({
  ...expecting(`at most ${MAX_WANTED} ${NAME_OR_PATTERN}, separated by commas`),
  jsonSchema: {
    type: "string",
    maxLength: MAX_EXPORT_CHANNELS,
    pattern: `^ *(?:${CHANNEL})?(?:, *(?:${CHANNEL})?)*$`,
    description:
      "Channels that `auto_export` adds to the ten channels of a point: names or patterns separated by commas, such as `fuel,tyre_*`. A file leaves out those that its session does not have"
  }
})

export const Configuration = Schema.Struct({
  connection: Schema.Struct({ host: Host, port: Port, appName: Name }),
  telemetryRate: Schema.propertySignature(Schema.Int.pipe(Schema.between(1, 10_000))).annotations({
    description:
      "Hz: the rate that the service requests from simulators that allow it, and the maximum rate at which a live subscriber gets telemetry of one session"
  }),
  autoExport: Schema.propertySignature(Schema.Boolean).annotations({
    description: "Whether the service writes each session to the exports folder when it ends"
  }),
  exportFormat: ExportFormat,
  exportChannels: ExportChannels,
  games: Games
}).annotations({ identifier: "ServiceConfiguration" })

export type Configuration = typeof Configuration.Type

/**
 * The configuration as clients send it, and as the catalog has it. Without channels to export there are none; without
 * `games` they stay as they are.
 */
export const GivenConfiguration = Schema.Struct({
  ...Configuration.fields,
  exportChannels: Schema.optional(ExportChannels),
  games: Schema.optional(Games)
}).annotations({ identifier: "GivenConfiguration" })

/** `games`: those before. */
export const completed = (
  given: typeof GivenConfiguration.Type,
  games: Games = defaultConfiguration.games
): Configuration => ({
  ...given,
  exportChannels: given.exportChannels ?? defaultConfiguration.exportChannels,
  games: given.games ?? games
})

/** The configuration of a service before a user changes it. */
export const defaultConfiguration: Configuration = {
  connection: { host: "127.0.0.1", port: 9100, appName: "telemetry-session-service" },
  telemetryRate: 60,
  autoExport: false,
  exportFormat: "csv",
  exportChannels: "",
  games: "none"
}
