import { Schema } from "effect"

export const Port = Schema.Int.pipe(Schema.between(1, 65535)).annotations({ identifier: "Port" })

/** A name as users give them: trimmed, 1 to 200 characters. */
export const Name = Schema.Trim.pipe(Schema.minLength(1), Schema.maxLength(200)).annotations({
  identifier: "Name",
  jsonSchema: { type: "string", minLength: 1, maxLength: 200 }
})

export const ExportFormat = Schema.Literal("csv", "json")
export type ExportFormat = typeof ExportFormat.Type

export const Configuration = Schema.Struct({
  connection: Schema.Struct({ host: Name, port: Port, app_name: Name }),
  telemetry_rate: Schema.Int.pipe(Schema.between(1, 10_000)).annotations({
    description:
      "Hz: the rate asked of a simulator that lets one ask, and the most that one live subscriber is sent of one session"
  }),
  auto_export: Schema.Boolean.annotations({
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
