/** How what has failed is tried again: each policy by what it is for. */
import { type Duration, Schedule } from "effect"

/** Doubling from the first pause up to the longest one, ms; for ever. */
const doubling = (firstMs: number, maxMs: number) =>
  Schedule.union(Schedule.exponential(firstMs), Schedule.spaced(maxMs))

/**
 * A link to a simulator, with pauses up to `maxPauseMs`, each up to a fifth shorter or longer, so that many services do not
 * return at once. At least a millisecond passes, also for a driver that only listens: its port may be taken.
 */
export const reconnecting = (maxPauseMs: number) => Schedule.jittered(doubling(250, Math.max(1, maxPauseMs)))

/** A write to a store, which is tried for as long as it takes. */
export const writing = doubling(100, 5000)

/** A server that the service cannot start without: one that recovers from a crash is not asked ten times a second. */
export const reachingServer = doubling(500, 5000)

/** A process of the service that ends as soon as it has begun must not be started as fast as the machine can. */
export const restarting = doubling(250, 30_000)

/** A lock of a process that is ending: it says nothing when it gives the lock up. */
export const awaitingLock = (longest: Duration.Duration) =>
  Schedule.spaced("100 millis").pipe(Schedule.upTo(longest))

/** What waits for a store that is away. */
export const ASK_STORE_EVERY = "1 second"
export const askingStore = Schedule.spaced(ASK_STORE_EVERY)

/** The pause before work in the background is tried again: exports and the analysts' tables. */
export const BACKGROUND_PAUSE = "5 seconds"
