/** Policies for retrying failed work, each named by its purpose. */
import { type Duration, Schedule } from "effect"

/** Pauses that double from the first up to the longest one, ms; the schedule has no end. */
const doubling = (firstMs: number, maxMs: number) =>
  Schedule.union(Schedule.exponential(firstMs), Schedule.spaced(maxMs))

/**
 * For a link to a simulator, with pauses up to `maxPauseMs`. Each pause is up to a fifth shorter or longer, so that
 * many services do not come back together. It is at least a millisecond, even for a driver that only listens, because
 * its port may be taken.
 */
export const reconnecting = (maxPauseMs: number) => Schedule.jittered(doubling(250, Math.max(1, maxPauseMs)))

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
