/**
 * Where datagrams become events: called from the socket, taken from by the connection.
 *
 * Datagrams are read as they arrive, not kept: what waits is points in columns, of which a second of busy store is a
 * few kilobytes, not megabytes.
 *
 * They are handed over once in a turn of the event loop, when all sockets were read, and not sooner than `SPACING_MS` after
 * the last time. What can be recorded without waiting goes past the connection's fiber, by the shortcut: waking one for a
 * single point costs several times what reading and recording it does.
 */
import { Chunk, Effect, Option, Stream } from "effect"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { type Link, LinkLost } from "../Driver.ts"
import { EventBuffer } from "../EventBuffer.ts"
import type { Interpreter } from "./Protocol.ts"

/**
 * Only feeds of more than 250 Hz ever wait, and their batches then have several points: each batch is sent on to every
 * worker process, offered to every live rate and copied to the store, whatever its size. A live page at 60 Hz has 17 ms.
 */
const SPACING_MS = 4

/** s on a clock that only goes forward. */
const arrivalNow = (): number => performance.now() / 1000

type Heard = Effect.Effect<Chunk.Chunk<SimulatorEvent>, LinkLost>

export class Receiver {
  readonly interpreter: Interpreter
  readonly #events = new EventBuffer()
  #lost: LinkLost | undefined
  /** Gives to who waits for what is heard next. */
  #give: ((heard: Heard) => void) | undefined
  #shortcut: ((events: ReadonlyArray<SimulatorEvent>) => number) | undefined
  /** It is settled when what waits is handed over. */
  #due = false
  #handedOver = Number.NEGATIVE_INFINITY
  #heard = true

  constructor(interpreter: Interpreter) {
    this.interpreter = interpreter
  }

  /** `by`: who reads it, where not all comes as datagrams. */
  hear(bytes: Buffer, by: Pick<Interpreter, "datagram"> = this.interpreter): void {
    this.#heard = true
    try {
      by.datagram(bytes, arrivalNow(), this.#events)
    } catch (defect) {
      // A bug of the driver, on bytes that anyone may send: it must not end the process, nor go unseen.
      this.#events.refuse(`the driver failed on a datagram of ${bytes.length} bytes: ${String(defect)}`)
    }
    this.#handOverSoon()
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#handOverSoon()
  }

  lose(reason: string): void {
    this.#lost ??= new LinkLost({ reason })
    this.#handOverSoon()
  }

  /** Whether anything was heard since the last call. */
  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  /** What was heard, or the loss once everything heard is taken; and the way past it. */
  get heard(): Pick<Link, "events" | "shortcut"> {
    return {
      events: Stream.repeatEffectChunkOption(Effect.mapError(this.#take, Option.some)),
      shortcut: (take) => {
        this.#shortcut = take
      }
    }
  }

  readonly #take: Heard = Effect.async((resume) => {
    const heard = this.#next(this.#events.take())
    if (heard !== undefined) return resume(heard)
    this.#give = resume
    return Effect.sync(() => {
      this.#give = undefined
    })
  })

  #next(events: ReadonlyArray<SimulatorEvent>): Heard | undefined {
    return events.length > 0 ? Effect.succeed(Chunk.unsafeFromArray(events)) : this.#lost
  }

  #handOverSoon(): void {
    // Who is still busy takes all that is there when it is not.
    if (this.#due || this.#give === undefined) return
    this.#due = true
    const left = this.#handedOver + SPACING_MS - performance.now()
    if (left <= 0) setImmediate(this.#handOver)
    else setTimeout(this.#handOver, Math.ceil(left))
  }

  readonly #handOver = (): void => {
    this.#due = false
    const give = this.#give
    if (give === undefined) return
    this.#handedOver = performance.now()
    const heard = this.#pastShortcut(this.#events.take())
    if (heard === undefined) return
    this.#give = undefined
    give(heard)
  }

  #pastShortcut(events: ReadonlyArray<SimulatorEvent>): Heard | undefined {
    try {
      const taken = this.#shortcut?.(events) ?? 0
      return this.#next(taken === 0 ? events : events.slice(taken))
    } catch (defect) {
      // The connection's, as it were in its fiber; here it would end the process.
      return Effect.die(defect)
    }
  }
}
