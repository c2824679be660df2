/**
 * Live messages that wait, in order, while a client gets the points that it missed: at most MAX_HELD of telemetry.
 * Beyond that, the oldest telemetry is dropped: it is stored, and the replay reads it from the store.
 */
import type { TelemetryRun } from "../hub/frames.ts"
import { KEPT_EVENTS, MAX_HELD } from "./protocol.ts"

type Waiting = { readonly run: TelemetryRun } | { readonly event: Buffer }

/** The frames of a run's points after the point with this number. */
export const framesAfter = (run: TelemetryRun, sent: number): ReadonlyArray<Buffer> =>
  run.numbered.each.filter((_, i) => (run.sequence(i) ?? Infinity) > sent)

export class LiveBacklog {
  #waiting: Array<Waiting> = []
  /** The number of telemetry messages. */
  #messages = 0
  #events = 0

  /** Returns how many messages are lost: dropped messages of points without a number, which no replay can read again. */
  add(runs: ReadonlyArray<TelemetryRun>): number {
    for (const run of runs) {
      this.#waiting.push({ run })
      this.#messages += run.count
    }
    let lost = 0
    while (this.#messages > MAX_HELD) {
      const at = this.#waiting.findIndex((item) => "run" in item)
      const [oldest] = this.#waiting.splice(at, 1)
      if (oldest === undefined || !("run" in oldest)) break
      this.#messages -= oldest.run.count
      if (oldest.run.sequence(0) === undefined) lost += oldest.run.count
    }
    return lost
  }

  /** Drops the points, which are not followed by the next ones: the replay reads them from the store. */
  dropTelemetry(): void {
    this.#waiting = this.#waiting.filter((item) => "event" in item)
    this.#messages = 0
  }

  /** Returns how many events are lost. */
  addEvent(event: Buffer): number {
    this.#waiting.push({ event })
    this.#events++
    if (this.#events <= KEPT_EVENTS) return 0
    this.#waiting.splice(
      this.#waiting.findIndex((item) => "event" in item),
      1
    )
    this.#events--
    return 1
  }

  /** The number of the first point that waits. */
  get first(): number | undefined {
    for (const item of this.#waiting) if ("run" in item) return item.run.sequence(0)
    return undefined
  }

  /** The frames of everything after the point with this number. */
  after(sent: number): ReadonlyArray<Buffer> {
    return this.#waiting.flatMap((item) => ("event" in item ? [item.event] : framesAfter(item.run, sent)))
  }
}
