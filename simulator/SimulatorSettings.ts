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

/** Limits of the rate, and its default if neither the user nor the reader asks for one; Hz. */
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

/** One of a few things with names, in upper or lower case. */
const named =
  <A>(find: (name: string) => A | undefined, known: ReadonlyArray<string>) =>
  (given: string): Either.Either<A, string> =>
    Either.fromNullable(find(given), () => `one of ${known.join(", ")}`)

/** A factor of real time; Infinity is as fast as the reader reads. */
const speed = (given: string): Either.Either<number, string> => {
  const number = given === "max" ? Number.POSITIVE_INFINITY : decimal(given)
  return number > 0 && (number <= 100_000 || given === "max")
    ? Either.right(number)
    : Either.left("max or a number above 0 and at most 100000")
}

/** A decimal number as people write it. */
const decimal = (given: string | undefined) => (/^\d*\.?\d+$/.test(given ?? "") ? Number(given) : Number.NaN)

/** At most half, so that something is left to read. */
const share = (given: string): Either.Either<number, string> =>
  decimal(given) <= 0.5 ? Either.right(decimal(given)) : Either.left("a share between 0 and 0.5")

/** A comma-separated list; empty if nothing is given. */
const list =
  <A>(expected: string, read: (entry: string) => A | undefined) =>
  (given: string): Either.Either<ReadonlyArray<A>, string> => {
    const entries = given === "" ? [] : given.split(",").map((entry) => read(entry.trim()))
    const known = entries.filter((entry) => entry !== undefined)
    return known.length === entries.length ? Either.right(known) : Either.left(expected)
  }

const pauses = list("AT:SECONDS, or several separated by commas", (entry): Pause | undefined => {
  const [at, seconds, ...more] = entry.split(":").map(decimal)
  return at! >= 0 && seconds! > 0 && more.length === 0 ? { at: at!, seconds: seconds! } : undefined
})

const restarts = list("seconds above 0, or several separated by commas", (entry) =>
  decimal(entry) > 0 ? decimal(entry) : undefined
)

const name = (given: string): Either.Either<string, string> =>
  given.trim().length >= 1 && given.trim().length <= 200
    ? Either.right(given.trim())
    : Either.left("1 to 200 characters")

export const simulatorSettings = {
  host: {
    value: "ADDRESS",
    help: "Address to listen on; with a protocol that sends unasked, the address to send to",
    read: text,
    fallback: "127.0.0.1"
  },
  port: {
    value: "PORT",
    help: `Port to listen on or to send to; 0 takes any free one. Default: the protocol's own port (${NATIVE}: ${DEFAULT_PORT})`,
    read: optional(wholeNumber(0, 65535)),
    fallback: ""
  },
  protocol: {
    value: "PROTOCOL",
    help: `Protocol of the feed: ${protocols.join(", ")}`,
    read: oneOf(...protocols),
    fallback: NATIVE
  },
  circuit: {
    value: "NAME",
    help: `Circuit: ${circuitNames.join(", ")}`,
    read: named(circuitNamed, circuitNames),
    fallback: circuitNames[0]!
  },
  vehicle: {
    value: "NAME",
    help: `Vehicle: ${vehicleNames.join(", ")}`,
    read: named(vehicleNamed, vehicleNames),
    fallback: vehicleNames[0]!
  },
  driver: { value: "NAME", help: "Name of the driver", read: name, fallback: "Robin Vale" },
  laps: {
    value: "N",
    help: "Number of laps to drive; 0 drives until the program is stopped",
    read: wholeNumber(0, 100_000),
    fallback: "0"
  },
  seed: {
    value: "N",
    help: "Seed of the random numbers; the same seed gives the same drive",
    read: wholeNumber(0, 2 ** 32 - 1),
    fallback: "1"
  },
  rate: {
    value: "HZ",
    help: `Points per second, ${MIN_RATE} to ${MAX_RATE}. Default: the rate that the reader asks for, else ${DEFAULT_RATE}`,
    read: optional(wholeNumber(MIN_RATE, MAX_RATE)),
    fallback: ""
  },
  packed: { help: "Send points packed instead of as JSON", read: toggle, fallback: "false" },
  pointsOnly: {
    help: "Send points only: no other channels (tyres, fuel, forces, ...), even to readers that ask for them",
    read: toggle,
    fallback: "false"
  },
  replay: {
    value: "FILE",
    help: "Send this recording (.ndjson or .ndjson.gz) instead of a simulated drive",
    read: optional(text),
    fallback: ""
  },
  capture: {
    value: "FILE",
    help: "Play this capture of a game's datagrams (.ndjson or .ndjson.gz) as the game sent them; the first datagram determines the game and its port",
    read: optional(text),
    fallback: ""
  },
  once: { help: "Exit after the last datagram of a capture", read: toggle, fallback: "false" },
  speed: {
    value: "N",
    help: "Speed of a recording, a capture or an emulator, as a factor of real time; max sends a recording as fast as it is read",
    read: speed,
    fallback: "1"
  },
  pause: {
    value: "AT:SECONDS",
    help: "Emulators: pause the game AT seconds after its start, for SECONDS; several separated by commas",
    read: pauses,
    fallback: ""
  },
  restart: {
    value: "AT",
    help: "Emulators: restart the race AT seconds after its start; several separated by commas",
    read: restarts,
    fallback: ""
  },
  loss: {
    value: "SHARE",
    help: "Emulators: share of datagrams that are lost, 0 to 0.5",
    read: share,
    fallback: "0"
  },
  reorder: {
    value: "SHARE",
    help: "Emulators: share of datagrams that later ones overtake, 0 to 0.5",
    read: share,
    fallback: "0"
  },
  duplicate: {
    value: "SHARE",
    help: "Emulators: share of datagrams that arrive twice, 0 to 0.5",
    read: share,
    fallback: "0"
  },
  garbage: {
    value: "SHARE",
    help: "Emulators: share of datagrams that a nonsensical one follows, 0 to 0.5",
    read: share,
    fallback: "0"
  },
  ...logSettings
} as const satisfies Readonly<Record<string, Setting<unknown>>>

export type SimulatorSettings = SettingValues<typeof simulatorSettings>

/** The sentence about settings that do not go together; undefined if they do. */
const conflict = (settings: SimulatorSettings): string | undefined => {
  const emulated = settings.protocol !== NATIVE
  const { capture, once, packed, pause, pointsOnly, replay, restart, speed } = settings
  if (capture !== undefined && emulated) return "--capture determines the protocol: leave out --protocol"
  if (capture !== undefined && replay !== undefined) return "--capture and --replay exclude each other"
  if (capture !== undefined && packed) return "--packed is for the native protocol"
  if (capture !== undefined && speed === Infinity) {
    return "--speed max is only for --replay: a capture needs a number"
  }
  if (capture === undefined && once) return "--once is for --capture"
  if (emulated && packed) return "--packed is for the native protocol"
  if ((emulated || capture !== undefined) && pointsOnly) return "--points-only is for the native protocol"
  if (emulated && replay !== undefined) return "--replay is for the native protocol"
  if (emulated && speed === Infinity) return "--speed max is only for --replay: an emulator needs a number"
  if (emulated) return undefined
  if (speed !== 1 && replay === undefined && capture === undefined) {
    return "--speed is for --replay, --capture and emulators"
  }
  if (pause.length > 0) return "--pause is for emulators: choose one with --protocol"
  if (restart.length > 0) return "--restart is for emulators: choose one with --protocol"
  const fault = (["loss", "reorder", "duplicate", "garbage"] as const).find((key) => settings[key] > 0)
  return fault === undefined ? undefined : `--${fault} is for emulators: choose one with --protocol`
}

/** Reads the command line against the table, and checks that its settings go together. */
export const readSimulatorSettings = (
  usage: string,
  argv: ReadonlyArray<string>,
  environment: Readonly<Record<string, string | undefined>>
) =>
  Either.flatMap(readCommandLine(usage, simulatorSettings, argv, environment), (settings) => {
    const sentence = conflict(settings)
    return sentence === undefined ? Either.right(settings) : Either.left(new BadUsage({ sentence }))
  })
