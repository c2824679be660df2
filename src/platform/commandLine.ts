/**
 * A program's settings as one table: each has a flag, an environment variable and a default.
 *
 * A flag wins over its environment variable, which wins over the default. `--help` is made from the table.
 *
 * Over 250 lines: how a setting is written, explained and read belongs together.
 */
import { parseArgs } from "node:util"
import { Data, Either } from "effect"
import { suggestion } from "./suggestion.ts"

/**
 * One setting. `read` takes the text that a user gives. If the text is invalid, it returns a description of valid text.
 */
export interface Setting<A> {
  readonly help: string
  /** The placeholder for the value in `--help`; a setting without one is a switch. */
  readonly value?: string
  readonly read: (given: string) => Either.Either<A, string>
  readonly fallback: string
  readonly env?: string
  /** The value is shown nowhere, not even in part. */
  readonly secret?: boolean
  /** The setting protects the service: an empty environment variable is refused, and does not count as unset. */
  readonly protects?: boolean
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

export type SettingValues<T extends SettingsTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer A> ? A : never
}

/** The user asks for help (`--help`) or for the version (`--version`). */
export class HelpWanted extends Data.TaggedError("HelpWanted")<{ readonly text: string }> {}
export class VersionWanted extends Data.TaggedError("VersionWanted") {}
/** The command line cannot be understood; `sentence` says which flag and why. */
export class BadUsage extends Data.TaggedError("BadUsage")<{ readonly sentence: string }> {}

export type Unread = HelpWanted | VersionWanted | BadUsage

const reader =
  <A>(expected: string, parse: (given: string) => A | undefined) =>
  (given: string): Either.Either<A, string> =>
    Either.fromNullable(parse(given), () => expected)

/** A setting that is on if its flag is given. */
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

/** A word that means "none", or a value that the reader accepts. */
export const orNone =
  <A>(read: (given: string) => Either.Either<A, string>) =>
  (given: string): Either.Either<A | "none", string> =>
    given === "none"
      ? Either.right("none")
      : Either.mapLeft(read(given), (expected) => `none, or ${expected}`)

export const oneOf = <const A extends string>(...choices: ReadonlyArray<A>) =>
  reader(`one of ${choices.join(", ")}`, (given) => choices.find((choice) => choice === given))

export const text = reader("some text", (given) => (given.trim() === "" ? undefined : given))

/** A setting's key as its flag has it, without the dashes: `allowOrigin` is `allow-origin`. */
export const flagOf = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flags that every program has in addition to its settings. */
const always = {
  help: { type: "boolean", short: "h", does: "Show this help" },
  version: { type: "boolean", short: "v", does: "Show the version" }
} as const

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
  const others = Object.entries(always).map(([name, { does, short }]) => ({
    flag: `--${name}, -${short}`,
    help: does,
    from: ""
  }))
  const all = [...rows, ...others]
  const width = Math.max(...all.map((row) => row.flag.length))
  return [
    usage,
    "",
    ...all.map((row) => `  ${row.flag.padEnd(width)}  ${row.help}${row.from === "" ? "" : ` [${row.from}]`}`),
    ""
  ].join("\n")
}

type Given = Readonly<Record<string, string | true>>

/**
 * The flags of `argv`. If a flag is repeated, the last one counts; a flag that is not in the table is rejected by name.
 * `words`: gets the other arguments; without it they are rejected.
 */
const readFlags = (
  table: SettingsTable,
  argv: ReadonlyArray<string>,
  words?: Array<string>
): Either.Either<Given, BadUsage> => {
  const settings = new Map(Object.entries(table).map(([key, setting]) => [flagOf(key), setting]))
  const options = Object.fromEntries(
    [...settings].map(([flag, { value }]) => [
      flag,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) }
    ])
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, ...always },
    strict: false,
    allowPositionals: true,
    tokens: true
  })
  const bad = (sentence: string) => Either.left(new BadUsage({ sentence }))
  const given: Record<string, string | true> = {}
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue
    if (token.kind === "positional") {
      if (words === undefined) return bad(`Unexpected argument '${token.value}'`)
      words.push(token.value)
      continue
    }
    const { inlineValue = false, name, rawName, value } = token
    const setting = settings.get(name)
    if (setting === undefined && !Object.hasOwn(always, name)) {
      const known = [...settings.keys(), ...Object.keys(always)].map((flag) => `--${flag}`)
      return bad(`Unknown option '${rawName}'${suggestion(rawName, known)}`)
    }
    if (setting?.value === undefined) {
      if (value !== undefined) return bad(`${rawName} takes no value, got ${JSON.stringify(value)}`)
      given[name] = true
      continue
    }
    // A word that looks like a flag is not a value, unless it follows an equals sign: the user forgot the value.
    if (value === undefined || (!inlineValue && value.startsWith("-"))) {
      return bad(`${rawName} needs a value: ${rawName} ${setting.value}`)
    }
    given[name] = value
  }
  return Either.right(given)
}

type Environment = Readonly<Record<string, string | undefined>>

/** npm's scripts that pass their flags on. npm takes flags before `--` for settings of its own. */
const scripts = new Map([
  ["start", "npm start"],
  ["demo", "npm run demo"],
  ["simulator", "npm run simulator"],
  ["migrate", "npm run migrate"],
  ["adopt", "npm run adopt"],
  ["verify", "npm run verify"],
  ["restore", "npm run restore"],
  ["import", "npm run import"]
])

/**
 * Fails if npm kept a flag for itself, and says how to give it. npm passes the flag's value on as a word, or keeps it as well
 * (before npm 11).
 */
export const unlessKeptByNpm = (
  table: SettingsTable,
  argv: ReadonlyArray<string>,
  environment: Environment
): Either.Either<void, BadUsage> => {
  const script = scripts.get(environment["npm_lifecycle_event"] ?? "")
  if (script === undefined) return Either.void
  for (const [key, { secret, value }] of Object.entries(table)) {
    const flag = `--${flagOf(key)}`
    const kept = environment[`npm_config_${flagOf(key).replaceAll("-", "_")}`]
    if (kept === undefined || kept === "" || argv.some((word) => word.split("=")[0] === flag)) continue
    const wanted = value === undefined ? "" : ` ${kept === "true" || secret === true ? value : kept}`
    const sentence = `npm kept ${flag} for itself; put flags after --: ${script} -- ${flag}${wanted}`
    return Either.left(new BadUsage({ sentence }))
  }
  return Either.void
}

/** The value of an environment variable. An empty one is unset, as in OpenTelemetry and in compose's `${NAME:-}`. */
const valueIn = (
  environment: Environment,
  { env, protects = false }: Setting<unknown>
): string | undefined => {
  const value = env === undefined ? undefined : environment[env]
  return value === "" && !protects ? undefined : value
}

/** Variables of ours have the first prefix; those with the second are for tests. */
const OURS = "TELEMETRY_"
const FOR_TESTS = "TELEMETRY_TEST_"

/**
 * A sentence for each variable that looks like a setting but is not one. `others`: known variables that are not
 * settings.
 */
export const unknownVariables = (
  table: SettingsTable,
  environment: Environment,
  others: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const known = [...Object.values(table).flatMap(({ env }) => env ?? []), ...others]
  return Object.keys(environment)
    .filter((name) => name.startsWith(OURS) && !name.startsWith(FOR_TESTS) && !known.includes(name))
    .map((name) => `${name} is not a setting${suggestion(name, known)}`)
}

/**
 * Reads `argv` (without node and script) and the environment against a table. `words`: gets the arguments that are no
 * flags, for a command that takes some.
 */
export const readCommandLine = <T extends SettingsTable>(
  usage: string,
  table: T,
  argv: ReadonlyArray<string>,
  environment: Environment,
  words?: Array<string>
): Either.Either<SettingValues<T>, Unread> =>
  Either.gen(function* () {
    yield* unlessKeptByNpm(table, argv, environment)
    const flags = yield* readFlags(table, argv, words)
    if (flags["help"] === true) return yield* Either.left(new HelpWanted({ text: helpText(usage, table) }))
    if (flags["version"] === true) return yield* Either.left(new VersionWanted())
    const values: Record<string, unknown> = {}
    for (const [key, setting] of Object.entries(table)) {
      const flag = flags[flagOf(key)]
      const fromEnvironment = valueIn(environment, setting)
      const given = flag !== undefined ? String(flag) : (fromEnvironment ?? setting.fallback)
      const source = flag === undefined && fromEnvironment !== undefined ? setting.env : `--${flagOf(key)}`
      values[key] = yield* Either.mapLeft(
        setting.read(given),
        (expected) =>
          new BadUsage({
            sentence: `${source} must be ${expected}${setting.secret === true ? "" : `, got ${JSON.stringify(given)}`}`
          })
      )
    }
    return values as SettingValues<T>
  })
