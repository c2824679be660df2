/**
 * A feed of one car that drives while clients watch.
 *
 * The first client starts the drive. Every other client sees the same drive, from the moment it joins, at its own rate. The drive
 * continues without clients, as in a real simulator when a logger reconnects, for as long as a reader may resume a session; after
 * that, and after the last of `laps`, the next client starts a new one.
 */
import { Clock, Effect } from "effect"
import { DEFAULT_RATE, MAX_RATE } from "../SimulatorSettings.ts"
import { driveGroups } from "../model/channelGroups.ts"
import type { Circuit } from "../model/Circuit.ts"
import { DrivenCar } from "../model/DrivenCar.ts"
import { SimulatedDrive } from "../model/SimulatedDrive.ts"
import type { Vehicle } from "../model/vehicles.ts"
import type { Feed, FeedClient } from "./Feed.ts"
import { session } from "./messages.ts"
import { Observation } from "./Observation.ts"

/** How long a session may be resumed (native-feed.md, `session`), s. */
const KEPT_FOR_S = 600
/** Up to this much above a whole millisecond, a wait is the rounding of doubles, ms. */
const ROUNDING_MS = 1e-6

export interface DriveFeedOptions {
  readonly circuit: Circuit
  readonly vehicle: Vehicle
  readonly driver: string
  /** 0: without end. */
  readonly laps: number
  readonly seed: number
  /** Hz; undefined: the rate that each client requests. */
  readonly rate: number | undefined
  readonly packed: boolean
  /** No client gets groups of channels, even if it reads them. */
  readonly pointsOnly: boolean
}

interface Running {
  readonly car: DrivenCar
  /** The clock's reading at the drive's zero, ns since the epoch. */
  readonly zero: bigint
  watchers: number
  /** When the last watcher left, s of the drive. */
  left: number
}

const seconds = (from: bigint, to: bigint) => Number(to - from) / 1e9

/** The requested rate, within the limits; the default for an invalid one. */
const requestedRate = (rate: number | undefined): number =>
  rate !== undefined && rate > 0 ? Math.min(MAX_RATE, Math.max(1, rate)) : DEFAULT_RATE

export const driveFeed = (options: DriveFeedOptions): Feed => {
  const { circuit, driver, laps, packed, seed, vehicle } = options
  let running: Running | undefined
  let drives = 0

  /** The drive for a client that comes at `now`. */
  const join = (now: bigint): Running => {
    const age = running === undefined ? 0 : seconds(running.zero, now)
    const over =
      running === undefined ||
      (laps > 0 && running.car.drive.lapAt(age) > laps) ||
      (running.watchers === 0 && age - running.left > KEPT_FOR_S)
    if (!over) return running!
    // Each has a seed of its own, or two sessions could not be distinguished by their laps.
    running = {
      car: new DrivenCar(new SimulatedDrive({ circuit, vehicle, seed: (seed + drives++) >>> 0 })),
      zero: now,
      watchers: 0,
      left: 0
    }
    return running
  }

  const watch = Effect.fn("simulate.watch")(function* (
    client: FeedClient,
    { car, zero }: Running,
    since: number
  ) {
    const rate = options.rate ?? requestedRate(client.rate)
    const facts = {
      circuit: circuit.name,
      vehicle: vehicle.name,
      driver,
      start_time: Math.round(Number(zero) / 1e6) / 1000,
      circuit_length: circuit.length,
      start_line: circuit.startLine
    }
    const groups = client.groups && !options.pointsOnly ? driveGroups : []
    client.offer(session(facts, packed, groups))
    const observation = new Observation(client, car, { rate, packed, laps, since, groups })
    for (;;) {
      const now = seconds(zero, yield* Clock.currentTimeNanos)
      const then = observation.advance(now)
      if (then === "ended") return yield* Effect.never
      if (then === "drain") yield* client.drained
      // Timers have whole milliseconds; rounded up, because an early timer would find nothing to send.
      else yield* Effect.sleep(Math.max(1, Math.ceil((observation.wake - now) * 1000 - ROUNDING_MS)))
    }
  })

  return {
    serve: (client) =>
      Effect.acquireUseRelease(
        Effect.map(Clock.currentTimeNanos, (now) => {
          const joined = join(now)
          joined.watchers++
          return { joined, since: seconds(joined.zero, now) }
        }),
        ({ joined, since }) => watch(client, joined, since),
        ({ joined }) =>
          Effect.map(Clock.currentTimeNanos, (now) => {
            joined.watchers--
            joined.left = seconds(joined.zero, now)
          })
      )
  }
}
