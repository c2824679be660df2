/** The bests of sessions in the order driven, with the best so far. */
import type { Session } from "../types.ts"
import { OFF_PACE } from "./pace.ts"

export interface SessionBest {
  readonly session: Session
  /** Epoch seconds at which the session began. */
  readonly time: number
  /** s */
  readonly best: number
  readonly sofar: number
}

/** Without sessions that have no time, or none near the best. */
export const bestsOver = (sessions: ReadonlyArray<Session>): ReadonlyArray<SessionBest> => {
  const timed = sessions
    .flatMap((session) => {
      const { best_lap_time: best, datetime } = session
      return best === null ? [] : [{ session, best, time: Date.parse(`${datetime}Z`) / 1000 }]
    })
    .sort((a, b) => a.time - b.time || a.session.id - b.session.id)
  const most = OFF_PACE * timed.reduce((least, { best }) => Math.min(least, best), Number.POSITIVE_INFINITY)
  let sofar = Number.POSITIVE_INFINITY
  return timed
    .filter(({ best }) => best <= most)
    .map((one) => ({ ...one, sofar: (sofar = Math.min(sofar, one.best)) }))
}
