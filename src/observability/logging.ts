import { Layer, Logger, LogLevel } from "effect"

export type LogLevelName = "trace" | "debug" | "info" | "warning" | "error" | "fatal" | "none"
export type LogFormat = "auto" | "pretty" | "json"

const levels: Readonly<Record<LogLevelName, LogLevel.LogLevel>> = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
}

/** Logs go to standard error: standard output is for the line that says where the service listens. */
export const layer = (level: LogLevelName, format: LogFormat): Layer.Layer<never> => {
  const pretty = format === "pretty" || (format === "auto" && process.stderr.isTTY)
  const logger = pretty ? Logger.prettyLogger({ stderr: true }) : Logger.withConsoleError(Logger.jsonLogger)
  return Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(levels[level]))
}
