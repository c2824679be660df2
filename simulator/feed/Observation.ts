/** A client's progress in a drive, and its next messages. Plain and synchronous: the hot path. */
import type { DriveGroup } from "../model/channelGroups.ts"
import { samplesOf } from "../model/channelGroups.ts"
import type { DrivenCar } from "../model/DrivenCar.ts"
import type { FeedClient } from "./Feed.ts"
import { lap, packed, pointsPacked, pointsText, samplesText, sessionEnd } from "./messages.ts"

/** Most messages a second to a client; at higher rates a message has several points. */
const MAX_MESSAGES_HZ = 100
/** Most points of a message to a client that catches up: some hundred kilobytes. */
const CATCH_UP_POINTS = 2048
/** A client that reads groups catches up in steps of this time, s: no group may be a second behind another (channels.md, section 3). */
const CATCH_UP_S = 0.5
/** Samples of groups wait for each other, and for points, no longer than this, s. */
const SAMPLES_WAIT_S = 0.1
/** Clock readings are doubles; a point counts as due this share of a step early. */
const NEARLY = 1e-6

/** A series of rows on one time base: the points, or a group. */
interface Series {
  readonly rate: number
  /** The number of the next row. */
  next: number
  readonly message: (first: number, count: number) => string | Uint8Array
}

/**
 * A cursor into a drive.
 *
 * The drive is a function of time, so a slow client needs no buffer: its next messages are computed when it can take them, and are
 * larger. It never misses a point, and no point is held for it. Points, and the samples of each group, come in order, each lap
 * after its last rows and before the first of the next.
 */
export class Observation {
  readonly #client: FeedClient
  readonly #car: DrivenCar
  readonly #points: Series
  /** Groups come first, so that their values as of a point are there when the point comes. */
  readonly #series: ReadonlyArray<Series>
  readonly #lastLap: number
  readonly #perTick: number
  #lap: number
  /** All rows before this time were sent, s of the drive. */
  #sent: number

  /** Watches the drive from `since` (s) on; `laps` 0 is without end. */
  constructor(
    client: FeedClient,
    car: DrivenCar,
    options: {
      readonly rate: number
      readonly packed: boolean
      readonly laps: number
      readonly since: number
      readonly groups: ReadonlyArray<DriveGroup>
    }
  ) {
    const { groups, laps, packed: isPacked, rate, since } = options
    const series = (rate: number, message: Series["message"]): Series => ({
      rate,
      next: Math.ceil(since * rate),
      message
    })
    this.#client = client
    this.#car = car
    this.#points = series(rate, (first, count) => {
      const points = car.drive.points(first, count, rate)
      return isPacked ? pointsPacked(first, points) : pointsText(first, points)
    })
    const ofGroups = groups.map((group, g) =>
      series(group.rate, (first, count) => {
        const samples = samplesOf(car, group, first, count)
        return isPacked
          ? packed(first, [samples.data], samples.length, g + 1)
          : samplesText(group, first, samples)
      })
    )
    this.#series = [...ofGroups, this.#points]
    this.#lastLap = laps === 0 ? Number.POSITIVE_INFINITY : laps
    this.#perTick = Math.ceil(rate / MAX_MESSAGES_HZ)
    this.#lap = car.drive.lapAt(since)
    this.#sent = since
  }

  /** Sends all rows due at `now` (s of the drive), or as many as the client takes. */
  advance(now: number): "wait" | "drain" | "ended" {
    for (;;) {
      const current = this.#car.drive.lap(this.#lap)
      const step = this.#series.length > 1 ? this.#sent + CATCH_UP_S : now
      const until = Math.min(now, step)
      const behind = this.#series.find((series) => series.next < dueAt(series, until, current.end))
      if (behind !== undefined) {
        const count = Math.min(CATCH_UP_POINTS, dueAt(behind, until, current.end) - behind.next)
        const message = behind.message(behind.next, count)
        behind.next += count
        if (!this.#client.offer(message)) return "drain"
      } else if (current.end <= until) {
        const open = this.#client.offer(lap(current))
        if (this.#lap >= this.#lastLap) {
          this.#client.offer(sessionEnd)
          return "ended"
        }
        this.#lap++
        if (!open) return "drain"
      } else if (until < now) this.#sent = until
      else {
        this.#sent = now
        return "wait"
      }
    }
  }

  /** When the next row is due, s of the drive. */
  get wake(): number {
    const { next, rate } = this.#points
    const tick = (next + this.#perTick - 1) / rate
    const samples = this.#series.length > 1 ? this.#sent + SAMPLES_WAIT_S : Number.POSITIVE_INFINITY
    return Math.min(tick, samples, this.#car.drive.lap(this.#lap).end)
  }
}

/** The number of the first row of a series that is not due at `now`, or not of the lap that ends at `end`. */
const dueAt = ({ rate }: Series, now: number, end: number) =>
  Math.min(Math.floor(now * rate + NEARLY) + 1, Math.ceil(end * rate))
