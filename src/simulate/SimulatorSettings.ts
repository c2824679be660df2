/** Every setting of the bundled simulator: flag and default, in one table. */
import { Either } from "effect"
import { oneOf, text, toggle, wholeNumber, type Setting, type Values } from "../commandLine.ts"
import { circuitNamed, circuitNames } from "./model/Circuit.ts"
import { vehicleNamed, vehicleNames } from "./model/vehicles.ts"

/** The rates that are driven at, Hz, and the one that nobody asked for otherwise. */
export const LEAST_RATE = 10
export const GREATEST_RATE = 10_000
export const DEFAULT_RATE = 60

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
  const number = given === "max" ? Number.POSITIVE_INFINITY : /^\d*\.?\d+$/.test(given) ? Number(given) : 0
  return number > 0 && (number <= 100_000 || given === "max")
    ? Either.right(number)
    : Either.left("max or a number above 0 and at most 100000")
}

const name = (given: string): Either.Either<string, string> =>
  given.trim().length >= 1 && given.trim().length <= 200
    ? Either.right(given.trim())
    : Either.left("1 to 200 characters")

export const simulatorSettings = {
  host: { value: "ADDRESS", help: "Address to listen on", read: text, fallback: "127.0.0.1" },
  port: {
    value: "PORT",
    help: "Port to listen on; 0 takes any free one",
    read: wholeNumber(0, 65535),
    fallback: "9100"
  },
  protocol: {
    value: "PROTOCOL",
    help: "What is spoken: native",
    read: oneOf("native"),
    fallback: "native"
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
    help: `Points a second, ${LEAST_RATE} to ${GREATEST_RATE}; left out, what the reader asks for, else ${DEFAULT_RATE}`,
    read: optional(wholeNumber(LEAST_RATE, GREATEST_RATE)),
    fallback: ""
  },
  packed: { help: "Send points packed instead of as JSON", read: toggle, fallback: "false" },
  replay: {
    value: "FILE",
    help: "Send this recording (.ndjson or .ndjson.gz) instead of driving",
    read: optional(text),
    fallback: ""
  },
  speed: {
    value: "N",
    help: "How fast a recording is sent: times real time, or max",
    read: speed,
    fallback: "1"
  }
} as const satisfies Readonly<Record<string, Setting<unknown>>>

export type SimulatorSettings = Values<typeof simulatorSettings>
