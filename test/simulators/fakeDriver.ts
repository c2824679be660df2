/** A driver whose simulators a test plays: the test decides when and how a handshake ends, and which events follow. */
import { Deferred, Effect, Layer, Queue } from "effect"
import { type NotASimulator, SimulatorRefused } from "../../src/domain/errors.ts"
import type { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import type { EventSink } from "../../src/recording/feed/EventSink.ts"
import { type Driver, Drivers, LinkLost, type LinkOptions, registered } from "../../src/simulators/Driver.ts"

type OpenFailure = SimulatorRefused | NotASimulator

/** One opening of a link, from the driver's side. */
export interface Dialled {
  readonly options: LinkOptions
  readonly accept: Effect.Effect<void>
  readonly fail: (error: OpenFailure) => Effect.Effect<void>
  readonly send: (...events: ReadonlyArray<SimulatorEvent>) => Effect.Effect<void>
  readonly lose: Effect.Effect<void>
  closed: boolean
}

export class FakeDriver {
  readonly dialled: Array<Dialled> = []
  /** Called at once for each dial; undefined leaves the dial waiting for the test. */
  answer: ((dial: Dialled) => Effect.Effect<void>) | undefined
  readonly driver: Driver
  /** The events that a link delivers when it ends. */
  rest: ReadonlyArray<SimulatorEvent> = []
  /** Links that are open, or being opened, now. */
  open = 0

  constructor(over: Partial<Driver> = {}) {
    this.driver = {
      name: "fake",
      ports: [7],
      reliable: true,
      reaches: true,
      forwards: false,
      open: (options) => this.#dial(options),
      ...over
    }
  }

  get last(): Dialled {
    return this.dialled.at(-1)!
  }

  #dial(options: LinkOptions) {
    return Effect.gen(this, function* () {
      const opened = yield* Deferred.make<void, OpenFailure>()
      const queue = yield* Queue.unbounded<ReadonlyArray<SimulatorEvent> | LinkLost>()
      const dial: Dialled = {
        options,
        accept: Effect.asVoid(Deferred.succeed(opened, undefined)),
        fail: (error) => Effect.asVoid(Deferred.fail(opened, error)),
        send: (...events) => Effect.asVoid(Queue.offer(queue, events)),
        lose: Effect.asVoid(Queue.offer(queue, new LinkLost({ reason: "the test" }))),
        closed: false
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          this.open++
          this.dialled.push(dial)
        }),
        () =>
          Effect.sync(() => {
            this.open--
            dial.closed = true
          })
      )
      yield* this.answer?.(dial) ?? Effect.void
      yield* Deferred.await(opened)
      const deliverTo = (sink: EventSink): Effect.Effect<never, LinkLost> =>
        Queue.take(queue).pipe(
          Effect.flatMap((next) => {
            if (next instanceof LinkLost) return Effect.fail(next)
            return sink.offer(next) ? Effect.void : sink.ready
          }),
          Effect.forever,
          Effect.ensuring(Effect.sync(() => this.rest.length > 0 && sink.offer(this.rest)))
        )
      return { simulator: "Fake 1.0", deliverTo }
    })
  }
}

export const refusing = (dial: Dialled) =>
  dial.fail(
    new SimulatorRefused({
      address: { host: dial.options.host, port: dial.options.port },
      reason: "ECONNREFUSED"
    })
  )

export const accepting = (dial: Dialled) => dial.accept

/** The registry with these drivers in it. */
export const drivers = (...all: ReadonlyArray<Driver>) =>
  Layer.provideMerge(Layer.mergeAll(Layer.empty, ...all.map((driver) => registered(driver))), Drivers.layer)
