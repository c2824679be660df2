/**
 * Limits attempts to connect, for drivers that send or open a connection. Only the first link of a connect counts: a link that
 * is opened again goes to a simulator that has answered before.
 */
import { Clock, Effect } from "effect"
import { TooManyConnects } from "../../domain/errors.ts"
import { Turns } from "../../platform/Turns.ts"

/** Enough for all rigs of an event together; a port scan needs thousands. */
const MAX_AT_ONCE = 8
const MINUTE_MS = 60_000

export interface ConnectLimiter {
  /** Runs the attempt when its turn comes; fails immediately if the minute's connects are used up. */
  readonly inTurn: <A, E, R>(attempt: Effect.Effect<A, E, R>) => Effect.Effect<A, E | TooManyConnects, R>
}

/** `perMinute`: the maximum within any minute. */
export const make = (perMinute: number): ConnectLimiter => {
  const turns = new Turns(MAX_AT_ONCE)
  let asked: Array<number> = []
  const admit = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (!Number.isFinite(perMinute)) return Effect.void
    asked = asked.filter((time) => now - time < MINUTE_MS)
    if (asked.length >= perMinute) {
      const seconds = Math.ceil((asked[0]! + MINUTE_MS - now) / 1000)
      return new TooManyConnects({ limit: perMinute, seconds })
    }
    asked.push(now)
    return Effect.void
  })
  return { inTurn: (attempt) => Effect.zipRight(admit, turns.run(attempt)) }
}
