import type { TelemetryRun } from "./frames.ts"
import type { Listener } from "./Listener.ts"
import type { Outbox } from "./Outbox.ts"
import { Parcel } from "./Parcel.ts"

/**
 * So many messages make a parcel that leaves as soon as it can: far below what would make a subscriber count as
 * behind (BEHIND_BYTES), and long past the point where more of them in a write make it cheaper.
 */
const FULL_MESSAGES = 128

/** A parcel on its way to those who were in its circle when it left. */
export interface Departure {
  readonly parcel: Parcel
  readonly listeners: ReadonlyArray<Listener>
  /** The next that gets it. */
  next: number
}

/**
 * Listeners that are told exactly the same telemetry: of one rate, and of one session or of all. What they are told
 * waits here until the outbox says that it leaves.
 */
export class Circle {
  readonly #outbox: Outbox
  readonly #members = new Set<Listener>()
  /** The members as a departure takes them; undefined after a change. */
  #listed: ReadonlyArray<Listener> | undefined
  #runs: Array<TelemetryRun> = []
  #count = 0
  /** When its last parcel left, ms. */
  #left = -Infinity

  constructor(outbox: Outbox) {
    this.#outbox = outbox
  }

  get empty(): boolean {
    return this.#members.size === 0
  }

  get left(): number {
    return this.#left
  }

  get full(): boolean {
    return this.#count >= FULL_MESSAGES
  }

  /** From now on; a listener may get what is a few milliseconds older, and waits for those before it. */
  join(listener: Listener): void {
    this.#members.add(listener)
    this.#listed = undefined
  }

  leave(listener: Listener): void {
    this.#members.delete(listener)
    this.#listed = undefined
  }

  tell(run: TelemetryRun): void {
    this.#runs.push(run)
    this.#count += run.count
    this.#outbox.post(this)
  }

  /** What was told and has not left, one run at least. */
  depart(now: number): Departure {
    const parcel = new Parcel(this.#runs, this.#count)
    this.#listed ??= [...this.#members]
    this.#runs = []
    this.#count = 0
    this.#left = now
    return { parcel, listeners: this.#listed, next: 0 }
  }
}
