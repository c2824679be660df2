/**
 * Where datagrams become events: called from the socket, taken from by the connection.
 *
 * Datagrams are read as they arrive, not kept: what waits is points in columns, of which a second of busy store is a
 * few kilobytes, not megabytes.
 */
import { Chunk, Effect, Option, Stream } from "effect"
import type { SimulatorEvent } from "../../domain/SimulatorEvent.ts"
import { LinkLost } from "../Driver.ts"
import { EventBuffer } from "../EventBuffer.ts"
import type { Interpreter } from "./Protocol.ts"

/** s on a clock that only goes forward. */
const arrivalNow = (): number => performance.now() / 1000

export class Receiver {
  readonly interpreter: Interpreter
  readonly #events = new EventBuffer()
  #lost: LinkLost | undefined
  #wake: (() => void) | undefined
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
    this.#wakeUp()
  }

  refuse(reason: string): void {
    this.#events.refuse(reason)
    this.#wakeUp()
  }

  lose(reason: string): void {
    this.#lost ??= new LinkLost({ reason })
    this.#wakeUp()
  }

  /** Whether anything was heard since the last call. */
  heardSince(): boolean {
    const heard = this.#heard
    this.#heard = false
    return heard
  }

  /** What was heard, or the loss once everything heard is taken. */
  get events(): Stream.Stream<SimulatorEvent, LinkLost> {
    return Stream.repeatEffectChunkOption(Effect.mapError(this.#take, Option.some))
  }

  readonly #take: Effect.Effect<Chunk.Chunk<SimulatorEvent>, LinkLost> = Effect.async((resume) => {
    const give = () => {
      const taken = this.#events.take()
      if (taken.length > 0) resume(Effect.succeed(Chunk.unsafeFromArray(taken)))
      else if (this.#lost !== undefined) resume(this.#lost)
      else this.#wake = give
    }
    give()
    return Effect.sync(() => {
      this.#wake = undefined
    })
  })

  #wakeUp(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
