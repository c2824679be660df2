/** How a receiver delivers events to the connection's sink: together, in time, and without a fiber if nothing has to wait. */
import { Cause, Effect, Exit, Fiber, FastCheck as fc, FiberId, Option } from "effect"
import { describe, expect, it } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { Receiver } from "../../../src/simulators/udp/Receiver.ts"
import type { EventSink } from "../../../src/recording/feed/EventSink.ts"
import type { LinkLost } from "../../../src/simulators/Driver.ts"
import { DELIVERY_SPACING_MS } from "../../../src/simulators/EventDelivery.ts"
import { systemTiming } from "../../../src/platform/Timing.ts"
import { HandTurned, until } from "../../live/support.ts"
import { collecting } from "../sinks.ts"
import { interpreterOf, pointText, timesOf } from "./udp.ts"
import { isPoints } from "../rows.ts"

const points = interpreterOf("P")
/** Points by their times, and "end". */
const interpreter: Interpreter = {
  simulator: points.simulator,
  datagram: (bytes, arrival, events) =>
    bytes.toString() === "end" ? events.end() : points.datagram(bytes, arrival, events)
}

const receive = (receiver: Receiver, ...times: ReadonlyArray<number | "end">) => {
  for (const one of times) receiver.hear(Buffer.from(one === "end" ? one : pointText("P", one)))
}

/** A point by its time, anything else by its tag. */
const reported = (events: Iterable<SimulatorEvent>) =>
  [...events].flatMap((event): ReadonlyArray<number | string> =>
    isPoints(event) ? timesOf([event]) : [event._tag]
  )

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((done) => setImmediate(done))
}

interface Delivered {
  /** The events that the sink recorded at once, by offers, and those that it kept until it was ready. */
  readonly taken: Array<ReadonlyArray<number | string>>
  readonly kept: Array<ReadonlyArray<number | string>>
  readonly fiber: Fiber.RuntimeFiber<never, LinkLost>
}

/** Delivers to a sink that records points at once, and keeps all from another event on; it is ready after `busy`. */
const delivering = (receiver: Receiver, busy: Effect.Effect<void> = Effect.void): Delivered => {
  const taken: Delivered["taken"] = []
  const kept: Delivered["kept"] = []
  const sink: EventSink = {
    offer: (events) => {
      const other = events.findIndex((event) => !isPoints(event))
      const count = other === -1 ? events.length : other
      if (count > 0) taken.push(reported(events.slice(0, count)))
      if (count < events.length) kept.push(reported(events.slice(count)))
      return count === events.length
    },
    ready: busy
  }
  return { taken, kept, fiber: Effect.runFork(receiver.deliverTo(sink)) }
}

const failing: EventSink = {
  offer: () => {
    throw new Error("a bug of the recorder")
  },
  ready: Effect.void
}

describe("a receiver", () => {
  it("survives a driver that fails in a silence, or at the end, and reports it", async () => {
    const silent: Interpreter = {
      ...interpreter,
      silence: () => {
        throw new Error("silence")
      },
      end: () => {
        throw new Error("end")
      }
    }
    const receiver = new Receiver(silent, systemTiming)
    // The first second is not silence: a receiver is made when something comes.
    receiver.passSecond(60)
    receiver.passSecond(60)
    const { events, sink } = collecting()
    await Effect.runPromise(Fiber.interrupt(Effect.runFork(receiver.deliverTo(sink))))
    expect(events).toEqual([
      expect.objectContaining({ _tag: "Refused", reason: "the driver failed on silence: Error: silence" }),
      expect.objectContaining({
        _tag: "Refused",
        reason: "the driver failed on the end of the link: Error: end"
      })
    ])
    await Effect.runPromise(Fiber.interrupt(Effect.runFork(receiver.deliverTo(sink))))
    expect(events).toHaveLength(2)
  })

  it("delivers the datagrams of one turn of the event loop together", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const { taken } = delivering(receiver)
    await turns(2)
    receive(receiver, 1, 2, 3)
    await turns(2)
    expect(taken).toEqual([[1, 2, 3]])
  })

  it("offers the events that the sink records at once together with those that it keeps", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const { kept, taken } = delivering(receiver)
    await turns(2)
    receive(receiver, 1, 2, "end", 3)
    await turns(2)
    expect({ taken, kept }).toEqual({ taken: [[1, 2]], kept: [["SessionEnded", 3]] })
  })

  it("offers nothing while the sink is not ready, and then all that was received meanwhile", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const latch = Effect.unsafeMakeLatch(false)
    const { kept, taken } = delivering(receiver, latch.await)
    await turns(2)
    receive(receiver, "end")
    await until(() => kept.length > 0)
    expect(kept).toEqual([["SessionEnded"]])
    receive(receiver, 1, 2)
    await turns(4)
    expect(taken).toEqual([])
    latch.unsafeOpen()
    await until(() => taken.length > 0)
    receive(receiver, 3)
    await until(() => taken.length > 1)
    expect(taken).toEqual([[1, 2], [3]])
  })

  it("reports the loss after all events before it", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const { fiber, kept, taken } = delivering(receiver)
    await turns(2)
    receive(receiver, 1, "end")
    receiver.lose("gone")
    const exit = await Effect.runPromise(Fiber.await(fiber))
    expect({ taken, kept }).toEqual({ taken: [[1]], kept: [["SessionEnded"]] })
    expect(Exit.causeOption(exit).pipe(Option.flatMap(Cause.failureOption))).toMatchObject({
      value: { _tag: "LinkLost", reason: "gone" }
    })
  })

  it("ends the delivery, and not the process, when the sink fails", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const fiber = Effect.runFork(receiver.deliverTo(failing))
    await turns(2)
    receive(receiver, 1)
    const exit = await Effect.runPromise(Fiber.await(fiber))
    expect(Exit.causeOption(exit).pipe(Option.flatMap(Cause.dieOption))).toEqual(
      Option.some(new Error("a bug of the recorder"))
    )
  })

  it("offers what it has received and not yet delivered when the delivery is interrupted", async () => {
    const receiver = new Receiver(interpreter, systemTiming)
    const { fiber, taken } = delivering(receiver)
    await turns(2)
    receive(receiver, 1, 2)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(taken).toEqual([[1, 2]])
    receive(receiver, 3)
    expect(delivering(receiver).taken).toEqual([[3]])
  })
})

/** Receives a point after each of the gaps, ms. Returns when each batch was offered, and when its points were received. */
const delivered = (gaps: ReadonlyArray<number>) => {
  const timing = new HandTurned()
  const begin = timing.now()
  const receiver = new Receiver(interpreter, timing)
  const batches: Array<{ readonly at: number; readonly receivedAt: ReadonlyArray<number> }> = []
  const sink: EventSink = {
    offer: (events) => {
      batches.push({ at: timing.now(), receivedAt: timesOf(events) })
      return true
    },
    ready: Effect.void
  }
  const fiber = Effect.runFork(receiver.deliverTo(sink))
  for (const gap of gaps) {
    timing.advance(gap)
    receive(receiver, timing.now())
  }
  timing.advance(10)
  fiber.unsafeInterruptAsFork(FiberId.none)
  return { batches, begin }
}

describe("a receiver's timing", () => {
  it("keeps no point of a simulator at 60 Hz waiting", () => {
    const { batches } = delivered(Array.from({ length: 20 }, () => 17))
    expect(batches.map(({ at }) => [at])).toEqual(batches.map(({ receivedAt }) => receivedAt))
    expect(batches.length).toBe(20)
  })

  it("delivers the points of a simulator at 1 kHz in batches", () => {
    const { batches } = delivered(Array.from({ length: 400 }, () => 1))
    expect(batches.length).toBeLessThanOrEqual(400 / DELIVERY_SPACING_MS + 1)
  })

  it("delivers each point once and in order, within the spacing, and no two batches closer than that", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (gaps) => {
        const { batches, begin } = delivered(gaps)
        let sum = begin
        expect(batches.flatMap(({ receivedAt }) => receivedAt)).toEqual(gaps.map((gap) => (sum += gap)))
        for (const { at, receivedAt } of batches)
          expect(at - receivedAt[0]!).toBeLessThanOrEqual(DELIVERY_SPACING_MS)
        const spacings = batches.slice(1).map(({ at }, n) => at - batches[n]!.at)
        for (const spacing of spacings) expect(spacing).toBeGreaterThanOrEqual(DELIVERY_SPACING_MS)
      })
    ))
})
