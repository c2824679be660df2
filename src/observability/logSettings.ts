/** The settings of the logs, for all our programs. */
import { oneOf } from "../platform/commandLine.ts"

const logLevel = oneOf("trace", "debug", "info", "warning", "error", "fatal", "none")

export const logSettings = {
  logLevel: {
    value: "LEVEL",
    help: "Lowest level that is logged: trace, debug, info, warning, error, fatal or none",
    read: (given: string) => logLevel(given === "warn" ? "warning" : given),
    fallback: "info",
    env: "TELEMETRY_LOG_LEVEL"
  },
  logFormat: {
    value: "FORMAT",
    help: "Format of the log: pretty or json; auto is pretty on a terminal",
    read: oneOf("auto", "pretty", "json"),
    fallback: "auto",
    env: "TELEMETRY_LOG_FORMAT"
  }
} as const
