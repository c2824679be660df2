/** The logs of our programs: a line for each event, to standard error. */
import { inspect } from "node:util"
import { Cause, HashMap, Layer, Logger, LogLevel } from "effect"

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

/** ANSI's colours, by the level's label. */
const colours: Readonly<Record<string, number>> = { WARN: 33, ERROR: 31, FATAL: 31, DEBUG: 2, TRACE: 2 }

/**
 * Writes text in one line: line ends become spaces, and other control characters are escaped as in JSON. Feeds and
 * clients can put text into the log. No text may end the line (with \n, \r, U+2028 and others), or reach the terminal
 * as a command (ESC, U+009B).
 */
const inOneLine = (text: string): string =>
  text
    .replace(/\s*[\n\v\f\r\u0085\u2028\u2029]\s*/g, " ")
    .replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`)

const worded = (value: unknown): string =>
  inOneLine(typeof value === "string" ? value : inspect(value, { breakLength: Infinity, depth: 4 }))

const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

/** For people: `12:31:44.852 INFO  Connected to bundled-simulator (simulator 127.0.0.1:9100)`. */
const pretty = (coloured: boolean) =>
  Logger.make(({ annotations, cause, date, logLevel, message }) => {
    const label = logLevel.label.padEnd(5)
    const colour = coloured ? colours[logLevel.label] : undefined
    const about = [...HashMap.entries(annotations)].map(([name, value]) => `${name} ${worded(value)}`)
    return [
      date.toISOString().slice(11, 23),
      colour === undefined ? label : `\x1b[${colour}m${label}\x1b[0m`,
      ...listed(message).map(worded),
      ...(about.length === 0 ? [] : [`(${about.join(", ")})`]),
      ...(Cause.isEmpty(cause) ? [] : [inOneLine(Cause.pretty(cause, { renderErrorCause: true }))])
    ].join(" ")
  })

/** Standard output is for the line that says where the program listens, and for the result of a command. */
export const layer = (level: LogLevelName, format: LogFormat): Layer.Layer<never> => {
  const terminal = process.stderr.isTTY === true
  const people = format === "pretty" || (format === "auto" && terminal)
  const logger = Logger.withConsoleError(people ? pretty(terminal) : Logger.jsonLogger)
  return Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(levels[level]))
}
