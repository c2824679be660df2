/**
 * Finds laps by start lines that are known from other sessions, for files that have neither laps nor a line. The place decides,
 * not the name of the circuit, because many files name none. Plain.
 */
import type { Gate } from "../../domain/Gate.ts"
import type { Crossing } from "./Crossings.ts"
import { GateCrossings } from "./GateCrossings.ts"
import { isFix, metresBetween } from "./place.ts"

/** A line that is farther from a file's first fix is of another place, m. */
const MAX_DISTANCE_M = 20_000
/** Lines that are nearer to each other are one, m. */
const SAME_M = 25
/** Lines of a place that are tried: layouts of one circuit have few. */
const MAX_TRIED = 16

const firstEnd = ({ latitudes, longitudes }: Gate) => [latitudes[0], longitudes[0]] as const

/** Laps by a known line. */
export interface KnownLaps {
  readonly crossings: ReadonlyArray<Crossing>
  readonly line: Gate
}

export class KnownLines {
  readonly #known: ReadonlyArray<Gate>
  #tried: ReadonlyArray<{ readonly line: Gate; readonly passed: GateCrossings }> | undefined

  /** `known`: the ones to be preferred first. */
  constructor(known: ReadonlyArray<Gate>) {
    this.#known = known
  }

  /** Whether fixes can show anything. */
  get isAny(): boolean {
    return this.#known.length > 0
  }

  /** Takes the next fix. `time`: epoch seconds; degrees, NaN where absent. */
  add(time: number, latitude: number, longitude: number): void {
    if (!isFix(latitude, longitude)) return
    this.#tried ??= this.#near(latitude, longitude)
    for (const { passed } of this.#tried) passed.add(time, latitude, longitude)
  }

  #near(latitude: number, longitude: number) {
    const near: Array<Gate> = []
    for (const line of this.#known) {
      const end = firstEnd(line)
      if (metresBetween(end, [latitude, longitude]) > MAX_DISTANCE_M) continue
      if (near.every((other) => metresBetween(end, firstEnd(other)) > SAME_M)) near.push(line)
      if (near.length === MAX_TRIED) break
    }
    return near.map((line) => ({ line, passed: new GateCrossings(line) }))
  }

  /** The laps by the line that the car crossed most often; undefined if it crossed none twice. */
  get laps(): KnownLaps | undefined {
    let best: { readonly line: Gate; readonly times: ReadonlyArray<number> } | undefined
    for (const { line, passed } of this.#tried ?? []) {
      const times = passed.crossings
      if (times.length > Math.max(1, best?.times.length ?? 0)) best = { line, times }
    }
    return best === undefined
      ? undefined
      : { line: best.line, crossings: best.times.map((time) => ({ time })) }
  }
}

/** A session's fact: latitude and longitude of one end of its start line, then of the other, degrees. */
export const START_LINE = "start_line"

export const factOf = ({ latitudes, longitudes }: Gate) => ({
  [START_LINE]: [latitudes[0], longitudes[0], latitudes[1], longitudes[1]]
})

/** The facts of a session with such laps. */
export const factsOfKnown = ({ line }: KnownLaps) => ({
  laps_from: "a start line known from other sessions",
  ...factOf(line)
})

/** For the user. */
export const KNOWN_LINE =
  "The file has no laps: they are those between crossings of a start line that other sessions of this place have"
