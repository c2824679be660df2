import { Schema } from "effect"
import { expecting } from "./expecting.ts"

export const Port = Schema.Int.pipe(Schema.between(1, 65535)).annotations({ identifier: "Port" })

/** A host as users write it: a name, an IPv4 or an IPv6 address. */
export const Host = Schema.Trim.pipe(Schema.pattern(/^[A-Za-z0-9._:%-]{1,253}$/)).annotations({
  identifier: "Host",
  ...expecting("a host name or an IP address"),
  jsonSchema: { type: "string", minLength: 1, maxLength: 253 }
})

const LONGEST_NAME = 200

/**
 * Characters as people count them, not UTF-16 units; neither control characters (no store keeps NUL) nor half
 * of a surrogate pair (no store gives it back).
 */
const isName = (text: string) =>
  text.length > 0 &&
  text.length <= 2 * LONGEST_NAME &&
  [...text].length <= LONGEST_NAME &&
  !/\p{Cc}|\p{Cs}/u.test(text)

/** A name as users give them, trimmed. */
export const Name = Schema.Trim.pipe(Schema.filter(isName)).annotations({
  identifier: "Name",
  ...expecting(`1 to ${LONGEST_NAME} characters of text`),
  jsonSchema: { type: "string", minLength: 1, maxLength: LONGEST_NAME }
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
