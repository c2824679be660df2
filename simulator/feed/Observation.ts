/** What one client has seen of a drive, and what it is to see next. Plain and synchronous: the hot path. */
import type { SimulatedDrive } from "../model/SimulatedDrive.ts"
import type { FeedClient } from "./Feed.ts"
import { lap, pointsPacked, pointsText, sessionEnd } from "./messages.ts"

/** Messages a second that a client is sent at most; at higher rates a message has several points. */
const MAX_MESSAGES_HZ = 100
/** Most points of a message to a client that catches up: some hundred kilobytes. */
const CATCH_UP_POINTS = 2048
/** Clock readings are doubles; a point counts as due this share of a step early. */
const NEARLY = 1e-6

/**
 * A cursor into a drive.
 *
 * The drive is a function of time, so a client that lags needs no buffer: what it has not taken yet is
 * computed when it can take it, in larger messages. It never misses a point, and nobody holds one for it.
 * Points come in order, each lap after its last point and before the first of the next.
 */
export class Observation {
  readonly #client: FeedClient
  readonly #drive: SimulatedDrive
  readonly #rate: number
  readonly #packed: boolean
  readonly #lastLap: number
  readonly #perTick: number
  #next: number
  #lap: number

  /** Sees the drive from `since` (s) on; `laps` 0 is without end. */
  constructor(
    client: FeedClient,
    drive: SimulatedDrive,
    options: {
      readonly rate: number
      readonly packed: boolean
      readonly laps: number
      readonly since: number
    }
  ) {
    this.#client = client
    this.#drive = drive
    this.#rate = options.rate
    this.#packed = options.packed
    this.#lastLap = options.laps === 0 ? Number.POSITIVE_INFINITY : options.laps
    this.#perTick = Math.ceil(options.rate / MAX_MESSAGES_HZ)
    this.#next = Math.ceil(options.since * options.rate)
    this.#lap = drive.lapAt(options.since)
  }

  /** Sends all that is due at `now` (s of the drive), or as much as the client takes. */
  advance(now: number): "wait" | "drain" | "ended" {
    for (;;) {
      const current = this.#drive.lap(this.#lap)
      const due = Math.floor(now * this.#rate + NEARLY) + 1
      const until = Math.min(due, Math.ceil(current.end * this.#rate))
      if (this.#next < until) {
        const count = Math.min(CATCH_UP_POINTS, until - this.#next)
        const points = this.#drive.points(this.#next, count, this.#rate)
        const message = this.#packed ? pointsPacked(this.#next, points) : pointsText(this.#next, points)
        this.#next += count
        if (!this.#client.offer(message)) return "drain"
      } else if (current.end <= now) {
        const open = this.#client.offer(lap(current))
        if (this.#lap >= this.#lastLap) {
          this.#client.offer(sessionEnd)
          return "ended"
        }
        this.#lap++
        if (!open) return "drain"
      } else return "wait"
    }
  }

  /** When there is something to send again, s of the drive. */
  get wake(): number {
    const tick = (this.#next + this.#perTick - 1) / this.#rate
    return Math.min(tick, this.#drive.lap(this.#lap).end)
  }
}
