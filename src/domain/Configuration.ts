import { Schema } from "effect"
import { expecting } from "./expecting.ts"
import { isName, namePattern, trimmedPattern } from "./text.ts"

export const Port = Schema.Int.pipe(Schema.between(1, 65535)).annotations({ identifier: "Port" })

const HOST = "[A-Za-z0-9._:%-]{1,253}"
const host = new RegExp(`^${HOST}$`)

/** A host as users write it: a name, an IPv4 or an IPv6 address. */
export const Host = Schema.Trim.pipe(Schema.filter((text) => host.test(text))).annotations({
  identifier: "Host",
  ...expecting("a host name or an IP address"),
  jsonSchema: {
    type: "string",
    pattern: trimmedPattern(HOST),
    description: "A host name or an IP address; spaces around it are taken off"
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
    description: `1 to ${MAX_NAME} characters, none of them a control character; spaces around them are taken off`
  }
})

export const ExportFormat = Schema.Literal("csv", "json")
export type ExportFormat = typeof ExportFormat.Type

export const Configuration = Schema.Struct({
  connection: Schema.Struct({ host: Host, port: Port, app_name: Name }),
  telemetry_rate: Schema.propertySignature(Schema.Int.pipe(Schema.between(1, 10_000))).annotations({
    description:
      "Hz: the rate asked of a simulator that lets one ask, and the most that one live subscriber is sent of one session"
  }),
  auto_export: Schema.propertySignature(Schema.Boolean).annotations({
    description: "Write each session to the exports folder when it ends"
  }),
  export_format: ExportFormat
}).annotations({ identifier: "Configuration" })

export type Configuration = typeof Configuration.Type

/** What a service starts with that nobody has configured. */
export const defaultConfiguration: Configuration = {
  connection: { host: "127.0.0.1", port: 9100, app_name: "telemetry-session-service" },
  telemetry_rate: 60,
  auto_export: false,
  export_format: "csv"
}
