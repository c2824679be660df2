/** How what failed because a store was away is tried again: every policy of the service, by name. */
import { Duration, Schedule } from "effect"

/** Pauses that double from `first` to `longest`. */
const growing = (first: Duration.Duration, longest: Duration.Duration) =>
  Schedule.union(Schedule.exponential(first), Schedule.spaced(longest))

/** Points, laps and sessions that are held in memory until they are stored. A store that is busy for a moment costs little. */
export const whileWriting = growing(Duration.millis(100), Duration.seconds(5))

/** A server that the service cannot start without: one that recovers from a crash is not asked ten times a second. */
export const whileStarting = growing(Duration.millis(500), Duration.seconds(5))

/** Work that goes on as soon as the store is back: broken sessions, spooled points, connections that are taken up. */
export const UNTIL_BACK_PAUSE = Duration.seconds(1)
export const untilBack = Schedule.spaced(UNTIL_BACK_PAUSE)

/** The pause before work that nobody waits for: exports and the analysts' tables. */
export const BACKGROUND_PAUSE = Duration.seconds(5)
