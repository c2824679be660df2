/** Every setting of the bundled simulator: flag and default, in one table. */
import { Either } from "effect"
import {
  BadUsage,
  oneOf,
  readCommandLine,
  text,
  toggle,
  wholeNumber,
  type Setting,
  type SettingValues
} from "../src/platform/commandLine.ts"
import { logSettings } from "../src/observability/logSettings.ts"
import { DEFAULT_PORT } from "../src/simulators/drivers/native/protocol.ts"
import type { Pause } from "./emulators/frames.ts"
import { emulators } from "./emulators/index.ts"
import { circuitNamed, circuitNames } from "./model/Circuit.ts"
import { vehicleNamed, vehicleNames } from "./model/vehicles.ts"

/** The rates that are driven at, Hz, and the one that nobody asked for otherwise. */
export const MIN_RATE = 10
export const MAX_RATE = 10_000
export const DEFAULT_RATE = 60

/** The protocol of the bundled simulator itself. */
export const NATIVE = "native"
const protocols = [NATIVE, ...emulators.map((kind) => kind.protocol)]

/** A setting that may be left out; its text is then empty. */
const optional =
  <A>(read: (given: string) => Either.Either<A, string>) =>
  (given: string): Either.Either<A | undefined, string> =>
    given === "" ? Either.right(undefined) : read(given)

/** One of a few things that go by a name, whatever its case. */
const named =
  <A>(find: (name: string) => A | undefined, known: ReadonlyArray<string>) =>
  (given: string): Either.Either<A, string> =>
    Either.fromNullable(find(given), () => `one of ${known.join(", ")}`)

/** Times real time; Infinity is as fast as the reader reads. */
const speed = (given: string): Either.Either<number, string> => {
  const number = given === "max" ? Number.POSITIVE_INFINITY : decimal(given)
  return number > 0 && (number <= 100_000 || given === "max")
    ? Either.right(number)
    : Either.left("max or a number above 0 and at most 100000")
}

/** A decimal number as people write it. */
const decimal = (given: string | undefined) => (/^\d*\.?\d+$/.test(given ?? "") ? Number(given) : Number.NaN)

/** Fewer than half, so that something is left to read. */
const share = (given: string): Either.Either<number, string> =>
  decimal(given) <= 0.5 ? Either.right(decimal(given)) : Either.left("a share between 0 and 0.5")

/** A list with commas between its entries; empty where there are none. */
const list =
  <A>(expected: string, read: (entry: string) => A | undefined) =>
  (given: string): Either.Either<ReadonlyArray<A>, string> => {
    const entries = given === "" ? [] : given.split(",").map((entry) => read(entry.trim()))
    const known = entries.filter((entry) => entry !== undefined)
    return known.length === entries.length ? Either.right(known) : Either.left(expected)
  }

const pauses = list("AT:SECONDS, several with commas between", (entry): Pause | undefined => {
  const [at, seconds, ...more] = entry.split(":").map(decimal)
  return at! >= 0 && seconds! > 0 && more.length === 0 ? { at: at!, seconds: seconds! } : undefined
})

const restarts = list("seconds above 0, several with commas between", (entry) =>
  decimal(entry) > 0 ? decimal(entry) : undefined
)

const name = (given: string): Either.Either<string, string> =>
  given.trim().length >= 1 && given.trim().length <= 200
    ? Either.right(given.trim())
    : Either.left("1 to 200 characters")

export const simulatorSettings = {
  host: {
    value: "ADDRESS",
    help: "Address to listen on, or to send to where the protocol sends unasked",
    read: text,
    fallback: "127.0.0.1"
  },
  port: {
    value: "PORT",
    help: `Port to listen on, or to send to; 0 takes any free one; left out, the protocol's own (${NATIVE}: ${DEFAULT_PORT})`,
    read: optional(wholeNumber(0, 65535)),
    fallback: ""
  },
  protocol: {
    value: "PROTOCOL",
    help: `What is spoken: ${protocols.join(", ")}`,
    read: oneOf(...protocols),
    fallback: NATIVE
  },
  circuit: {
    value: "NAME",
    help: `Where: ${circuitNames.join(", ")}`,
    read: named(circuitNamed, circuitNames),
    fallback: circuitNames[0]!
  },
  vehicle: {
    value: "NAME",
    help: `What: ${vehicleNames.join(", ")}`,
    read: named(vehicleNamed, vehicleNames),
    fallback: vehicleNames[0]!
  },
  driver: { value: "NAME", help: "Who drives", read: name, fallback: "Robin Vale" },
  laps: {
    value: "N",
    help: "The drive ends after so many laps; 0: not until stopped",
    read: wholeNumber(0, 100_000),
    fallback: "0"
  },
  seed: {
    value: "N",
    help: "The same seed gives the same drive",
    read: wholeNumber(0, 2 ** 32 - 1),
    fallback: "1"
  },
  rate: {
    value: "HZ",
    help: `Points a second, ${MIN_RATE} to ${MAX_RATE}; left out, what the reader asks for, else ${DEFAULT_RATE}`,
    read: optional(wholeNumber(MIN_RATE, MAX_RATE)),
    fallback: ""
  },
  packed: { help: "Send points packed instead of as JSON", read: toggle, fallback: "false" },
  pointsOnly: {
    help: "Send no channels beside points (tyres, fuel, forces, ...), also to who reads them",
    read: toggle,
    fallback: "false"
  },
  replay: {
    value: "FILE",
    help: "Send this recording (.ndjson or .ndjson.gz) instead of driving",
    read: optional(text),
    fallback: ""
  },
  capture: {
    value: "FILE",
    help: "Play this capture of a game's datagrams (.ndjson or .ndjson.gz) as the game sent them; the first tells the game, and its port",
    read: optional(text),
    fallback: ""
  },
  once: { help: "End after the last datagram of a capture", read: toggle, fallback: "false" },
  speed: {
    value: "N",
    help: "How fast a recording or a capture is sent, or an emulator drives: times real time; a recording also at max",
    read: speed,
    fallback: "1"
  },
  pause: {
    value: "AT:SECONDS",
    help: "An emulator's game is paused so many seconds after it started, for so long; several with commas",
    read: pauses,
    fallback: ""
  },
  restart: {
    value: "AT",
    help: "An emulator's race is started again so many seconds after it started; several with commas",
    read: restarts,
    fallback: ""
  },
  loss: {
    value: "SHARE",
    help: "Of an emulator's datagrams, 0 to 0.5, so many are lost",
    read: share,
    fallback: "0"
  },
  reorder: { value: "SHARE", help: "So many are overtaken by later ones", read: share, fallback: "0" },
  duplicate: { value: "SHARE", help: "So many arrive twice", read: share, fallback: "0" },
  garbage: {
    value: "SHARE",
    help: "So many are followed by one that makes no sense",
    read: share,
    fallback: "0"
  },
  ...logSettings
} as const satisfies Readonly<Record<string, Setting<unknown>>>

export type SimulatorSettings = SettingValues<typeof simulatorSettings>

/** The settings that only make sense with some others: what must hold where they are given. */
const conflict = (settings: SimulatorSettings): string | undefined => {
  const emulated = settings.protocol !== NATIVE
  const { capture, once, packed, pause, pointsOnly, replay, restart, speed } = settings
  if (capture !== undefined && emulated) return "--capture tells the protocol by itself: leave --protocol out"
  if (capture !== undefined && replay !== undefined) return "--capture and --replay are one or the other"
  if (capture !== undefined && packed) return "--packed is for the native protocol"
  if (capture !== undefined && speed === Infinity) {
    return "--speed max is for --replay: a capture needs a number"
  }
  if (capture === undefined && once) return "--once is for --capture"
  if (emulated && packed) return "--packed is for the native protocol"
  if ((emulated || capture !== undefined) && pointsOnly) return "--points-only is for the native protocol"
  if (emulated && replay !== undefined) return "--replay is for the native protocol"
  if (emulated && speed === Infinity) return "--speed max is for --replay: an emulator needs a number"
  if (emulated) return undefined
  if (speed !== 1 && replay === undefined && capture === undefined) {
    return "--speed is for --replay, --capture and for emulators"
  }
  if (pause.length > 0) return "--pause is for emulators: choose one with --protocol"
  if (restart.length > 0) return "--restart is for emulators: choose one with --protocol"
  const fault = (["loss", "reorder", "duplicate", "garbage"] as const).find((key) => settings[key] > 0)
  return fault === undefined ? undefined : `--${fault} is for emulators: choose one with --protocol`
}

/** Reads the command line against the table, and whether its settings go together. */
export const readSimulatorSettings = (
  usage: string,
  argv: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
) =>
  Either.flatMap(readCommandLine(usage, simulatorSettings, argv, environment), (settings) => {
    const sentence = conflict(settings)
    return sentence === undefined ? Either.right(settings) : Either.left(new BadUsage({ sentence }))
  })
