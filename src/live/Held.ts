/**
 * What is live while a client is sent what it missed: kept in order, MAX_HELD messages at most. Of more the oldest telemetry
 * goes: it is stored, and is read from there like all that was missed.
 */
import type { TelemetryRun } from "./frames.ts"
import { KEPT_EVENTS, MAX_HELD } from "./protocol.ts"

type Item = { readonly run: TelemetryRun } | { readonly event: Buffer }

/** The frames of a run's points after the one of this number. */
export const framesAfter = (run: TelemetryRun, sent: number): ReadonlyArray<Buffer> =>
  run.numbered.each.filter((_, i) => (run.sequence(i) ?? Infinity) > sent)

export class Held {
  #items: Array<Item> = []
  /** Of telemetry. */
  #messages = 0
  #events = 0

  /** How many messages had to go for these: none, for they can be read again, unless their points have no number. */
  keep(runs: ReadonlyArray<TelemetryRun>): number {
    for (const run of runs) {
      this.#items.push({ run })
      this.#messages += run.count
    }
    let lost = 0
    while (this.#messages > MAX_HELD) {
      const at = this.#items.findIndex((item) => "run" in item)
      const [oldest] = this.#items.splice(at, 1)
      if (oldest === undefined || !("run" in oldest)) break
      this.#messages -= oldest.run.count
      if (oldest.run.sequence(0) === undefined) lost += oldest.run.count
    }
    return lost
  }

  keepEvent(event: Buffer): number {
    this.#items.push({ event })
    this.#events++
    if (this.#events <= KEPT_EVENTS) return 0
    this.#items.splice(
      this.#items.findIndex((item) => "event" in item),
      1
    )
    this.#events--
    return 1
  }

  /** The number of the first point that is kept. */
  get first(): number | undefined {
    for (const item of this.#items) if ("run" in item) return item.run.sequence(0)
    return undefined
  }

  /** The frames of all that comes after the point of this number. */
  after(sent: number): ReadonlyArray<Buffer> {
    return this.#items.flatMap((item) => ("event" in item ? [item.event] : framesAfter(item.run, sent)))
  }
}
