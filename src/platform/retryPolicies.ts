/** Policies for retrying failed work, each named by its purpose. */
import { type Duration, Schedule } from "effect"

/** Pauses that double from the first up to the longest one, ms; the schedule has no end. */
const doubling = (firstMs: number, maxMs: number) =>
  Schedule.union(Schedule.exponential(firstMs), Schedule.spaced(maxMs))

/**
 * For a link to a simulator. A drive goes on while the network or the simulator is away, so that no pause is longer than a second.
 * Each is up to a fifth shorter or longer, so that many services do not come back together.
 */
export const reconnecting = Schedule.jittered(doubling(250, 1000))

/** For a link of a driver that only listens: to bind a port is cheap, but not a thousand times a second. */
export const listeningAgain = Schedule.jittered(doubling(1, 1))

/** For a write to a store, which is retried for as long as it takes. */
export const writing = doubling(100, 5000)

/**
 * For a server without which the service cannot start. A server that recovers from a crash is not asked ten times a
 * second.
 */
export const reachingServer = doubling(500, 5000)

/**
 * For a process of the service that ends as soon as it has begun: it must not be restarted as fast as the machine can.
 */
export const restarting = doubling(250, 30_000)

/** For the lock of a process that is ending. The process does not report when it releases the lock. */
export const awaitingLock = (longest: Duration.Duration) =>
  Schedule.spaced("100 millis").pipe(Schedule.upTo(longest))

/** The pause between attempts of work that waits for an unavailable store. */
export const ASK_STORE_EVERY = "1 second"
export const askingStore = Schedule.spaced(ASK_STORE_EVERY)

/** The pause before background work is retried: exports and the analysts' tables. */
export const BACKGROUND_PAUSE = "5 seconds"
