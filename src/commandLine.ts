/**
 * A program's settings as one table: each a flag, an environment variable and a default.
 *
 * A flag wins over its environment variable, which wins over the default. `--help` is made from the table.
 */
import { parseArgs } from "node:util"
import { Data, Either } from "effect"

/** One setting; `read` takes the text a user gives, and says what it expected where that does not fit. */
export interface Setting<A> {
  readonly help: string
  /** What stands for the value in `--help`; a setting without one is a switch. */
  readonly value?: string
  readonly read: (given: string) => Either.Either<A, string>
  readonly fallback: string
  readonly env?: string
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

export type Values<T extends SettingsTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer A> ? A : never
}

export class HelpWanted extends Data.TaggedError("HelpWanted")<{ readonly text: string }> {}
/** The command line cannot be understood; `sentence` says which flag and why. */
export class BadUsage extends Data.TaggedError("BadUsage")<{ readonly sentence: string }> {}

const reader =
  <A>(expected: string, parse: (given: string) => A | undefined) =>
  (given: string): Either.Either<A, string> =>
    Either.fromNullable(parse(given), () => expected)

/** A setting that is on when its flag stands. */
export const toggle = reader("true or false", (given) =>
  given === "true" ? true : given === "false" ? false : undefined
)

/** A whole number within bounds. */
export const wholeNumber = (low: number, high: number) =>
  reader(`a whole number between ${low} and ${high}`, (given) => {
    const number = Number(given)
    return /^\d+$/.test(given) && number >= low && number <= high ? number : undefined
  })

/** Seconds or another positive quantity, fractional. */
export const positiveNumber = (high: number) =>
  reader(`a number above 0 and at most ${high}`, (given) => {
    const number = Number(given)
    return given.trim() !== "" && number > 0 && number <= high ? number : undefined
  })

export const oneOf = <const A extends string>(...choices: ReadonlyArray<A>) =>
  reader(`one of ${choices.join(", ")}`, (given) => choices.find((choice) => choice === given))

export const text = reader("some text", (given) => (given.trim() === "" ? undefined : given))

const flagOf = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const helpText = (usage: string, table: SettingsTable): string => {
  const rows = Object.entries(table).map(([key, setting]) => ({
    flag: `--${flagOf(key)}${setting.value === undefined ? "" : ` ${setting.value}`}`,
    help: setting.help,
    from: [
      setting.env,
      setting.value === undefined || setting.fallback === "" ? undefined : `default ${setting.fallback}`
    ]
      .filter((part) => part !== undefined)
      .join(", ")
  }))
  const width = Math.max(...rows.map((row) => row.flag.length), "--help".length)
  return [
    usage,
    "",
    ...rows.map(
      (row) => `  ${row.flag.padEnd(width)}  ${row.help}${row.from === "" ? "" : ` [${row.from}]`}`
    ),
    `  ${"--help".padEnd(width)}  Show this`,
    ""
  ].join("\n")
}

/** Reads `argv` (without node and script) and the environment against a table. */
export const readCommandLine = <T extends SettingsTable>(
  usage: string,
  table: T,
  argv: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
): Either.Either<Values<T>, HelpWanted | BadUsage> =>
  Either.gen(function* () {
    const flags: Readonly<Record<string, string | boolean | undefined>> = yield* Either.try({
      try: () =>
        parseArgs({
          args: [...argv],
          strict: true,
          options: {
            help: { type: "boolean" },
            ...Object.fromEntries(
              Object.entries(table).map(([key, setting]) => [
                flagOf(key),
                { type: setting.value === undefined ? ("boolean" as const) : ("string" as const) }
              ])
            )
          }
        }).values,
      catch: (error) =>
        new BadUsage({
          // Node explains at length how else it could be meant; the first sentence is what a user needs.
          sentence: String(error instanceof Error ? error.message : error).split(/\. To specify|\n/)[0]!
        })
    })
    if (flags["help"] === true) return yield* Either.left(new HelpWanted({ text: helpText(usage, table) }))
    const values: Record<string, unknown> = {}
    for (const [key, setting] of Object.entries(table)) {
      const flag = flags[flagOf(key)]
      const fromEnvironment = setting.env === undefined ? undefined : environment[setting.env]
      const given = flag !== undefined ? String(flag) : (fromEnvironment ?? setting.fallback)
      const source = flag === undefined && fromEnvironment !== undefined ? setting.env : `--${flagOf(key)}`
      values[key] = yield* Either.mapLeft(
        setting.read(given),
        (expected) =>
          new BadUsage({ sentence: `${source} must be ${expected}, got ${JSON.stringify(given)}` })
      )
    }
    return values as Values<T>
  })
