/**
 * Finds sessions whose points are so far apart that their hours take more space in QuestDB than the points do. An hour
 * is a partition, which has a file for each column: 58 KB on disk however few points it has. A point takes 92 bytes.
 *
 * Such points are stored: the feed decides their times, and a session may go on for days. But nobody would suspect a
 * feed that sends little if the disk is full.
 */
const HOUR_S = 3600
/** With fewer hours than a day has, the cost does not matter: 1.4 MB. */
const MIN_HOURS = 24
/** One point a minute; these take a tenth of the partition's space. */
const MIN_POINTS_AN_HOUR = 60

interface Written {
  points: number
  hours: number
  newest: number
  logged: boolean
}

export class SparseHours {
  readonly #sessions = new Map<number, Written>()

  /** Adds the increasing times of written points. Returns a remark about their session, once. */
  add(sessionId: number, times: Float64Array): string | undefined {
    const written = this.#sessions.get(sessionId) ?? { points: 0, hours: 0, newest: -1, logged: false }
    this.#sessions.set(sessionId, written)
    written.points += times.length
    // Usually all of them are in one hour.
    const last = Math.floor(times[times.length - 1]! / HOUR_S)
    if (last === written.newest) return undefined
    for (const time of times) {
      const hour = Math.floor(time / HOUR_S)
      if (hour > written.newest) {
        written.newest = hour
        written.hours++
      }
    }
    const { hours, points, logged } = written
    if (logged || hours < MIN_HOURS || points >= hours * MIN_POINTS_AN_HOUR) return undefined
    written.logged = true
    return `Session ${sessionId} has ${points} points in ${hours} hours: QuestDB keeps 58 KB for each of its hours, whatever is in it`
  }

  forget(sessionId: number): void {
    this.#sessions.delete(sessionId)
  }
}
