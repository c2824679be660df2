/** How what a socket heard gets to the connection: together, in time, and past its fiber where that needs no waiting. */
import { Cause, Chunk, Effect, Exit, Fiber, FastCheck as fc, Option, Stream } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Interpreter } from "../../../src/simulators/datagrams/Protocol.ts"
import { Receiver } from "../../../src/simulators/datagrams/Receiver.ts"
import { SPACING_MS } from "../../../src/simulators/Outlet.ts"
import { interpreterOf, pointText, timesOf } from "./udp.ts"

const points = interpreterOf("P")
/** Points by their times, and "end". */
const interpreter: Interpreter = {
  simulator: points.simulator,
  datagram: (bytes, arrival, events) =>
    bytes.toString() === "end" ? events.end() : points.datagram(bytes, arrival, events)
}

const hear = (receiver: Receiver, ...said: ReadonlyArray<number | "end">) => {
  for (const one of said) receiver.hear(Buffer.from(one === "end" ? one : pointText("P", one)))
}

/** A point by its time, anything else by its tag. */
const told = (events: Iterable<SimulatorEvent>) =>
  [...events].flatMap((event): ReadonlyArray<number | string> =>
    event._tag === "Points" ? timesOf([event]) : [event._tag]
  )

const turns = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise((done) => setImmediate(done))
}

/** Pulls all that comes, each time with what `busy` makes of it; gives what was pulled. */
const pulling = (receiver: Receiver, busy: () => Effect.Effect<void> = () => Effect.void) => {
  const pulled: Array<ReadonlyArray<number | string>> = []
  const fiber = Effect.runFork(
    Stream.runForEachChunk(receiver.heard.events, (chunk) => {
      pulled.push(told(chunk))
      return busy()
    })
  )
  return { pulled, fiber }
}

/** Takes points only. */
const takingPoints = (receiver: Receiver) => {
  const taken: Array<ReadonlyArray<number | string>> = []
  receiver.heard.shortcut!((events) => {
    const other = events.findIndex((event) => event._tag !== "Points")
    const count = other === -1 ? events.length : other
    if (count > 0) taken.push(told(events.slice(0, count)))
    return count
  })
  return taken
}

describe("a receiver", () => {
  it("survives a driver that fails when nothing is heard, or at the end, and says so", () => {
    const failing: Interpreter = {
      ...interpreter,
      silence: () => {
        throw new Error("silence")
      },
      end: () => {
        throw new Error("end")
      }
    }
    const receiver = new Receiver(failing)
    // In the first one it was made.
    receiver.passSecond(60)
    receiver.passSecond(60)
    expect(receiver.heard.rest()).toEqual([
      expect.objectContaining({ _tag: "Refused", reason: "the driver failed on silence: Error: silence" }),
      expect.objectContaining({
        _tag: "Refused",
        reason: "the driver failed on the end of the link: Error: end"
      })
    ])
    expect(receiver.heard.rest()).toEqual([])
  })

  it("hands over together what came in one turn of the event loop", async () => {
    const receiver = new Receiver(interpreter)
    const { pulled } = pulling(receiver)
    await turns(2)
    hear(receiver, 1, 2, 3)
    await turns(2)
    expect(pulled).toEqual([[1, 2, 3]])
  })

  it("lets points take the shortcut, and all from the first other event on be pulled", async () => {
    const receiver = new Receiver(interpreter)
    const { pulled } = pulling(receiver)
    const taken = takingPoints(receiver)
    await turns(2)
    hear(receiver, 1, 2, "end", 3)
    await turns(2)
    expect({ taken, pulled }).toEqual({ taken: [[1, 2]], pulled: [["SessionEnded", 3]] })
  })

  it("keeps the order while who pulls is busy: nothing takes the shortcut then", async () => {
    const receiver = new Receiver(interpreter)
    const latch = Effect.unsafeMakeLatch(false)
    const { pulled } = pulling(receiver, () => latch.await)
    const taken = takingPoints(receiver)
    await turns(2)
    hear(receiver, "end")
    await vi.waitFor(() => expect(pulled).toEqual([["SessionEnded"]]))
    hear(receiver, 1, 2)
    await turns(4)
    expect(taken).toEqual([])
    latch.unsafeOpen()
    await vi.waitFor(() => expect(pulled).toEqual([["SessionEnded"], [1, 2]]))
    hear(receiver, 3)
    await vi.waitFor(() => expect(taken).toEqual([[3]]))
  })

  it("tells of the loss after all that was heard before", async () => {
    const receiver = new Receiver(interpreter)
    const { fiber, pulled } = pulling(receiver)
    const taken = takingPoints(receiver)
    await turns(2)
    hear(receiver, 1, "end")
    receiver.lose("gone")
    const exit = await Effect.runPromise(Fiber.await(fiber))
    expect({ taken, pulled }).toEqual({ taken: [[1]], pulled: [["SessionEnded"]] })
    expect(Exit.causeOption(exit).pipe(Option.flatMap(Cause.failureOption))).toMatchObject({
      value: { _tag: "LinkLost", reason: "gone" }
    })
  })

  it("ends who pulls, and not the process, when the shortcut fails", async () => {
    const receiver = new Receiver(interpreter)
    const { fiber } = pulling(receiver)
    receiver.heard.shortcut!(() => {
      throw new Error("a bug of the recorder")
    })
    await turns(2)
    hear(receiver, 1)
    const exit = await Effect.runPromise(Fiber.await(fiber))
    expect(Exit.causeOption(exit).pipe(Option.flatMap(Cause.dieOption))).toEqual(
      Option.some(new Error("a bug of the recorder"))
    )
  })

  it("keeps for the next who pulls what came when nobody did", async () => {
    const receiver = new Receiver(interpreter)
    const { fiber } = pulling(receiver)
    await turns(2)
    hear(receiver, 1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    hear(receiver, 2)
    await turns(2)
    const events = await Effect.runPromise(receiver.heard.events.pipe(Stream.take(1), Stream.runCollect))
    expect(told(Chunk.toReadonlyArray(events))).toEqual([1, 2])
  })
})

/** Hears a point after each of the gaps, ms of a clock that stands; when each batch came, and when its points were heard. */
const delivered = async (gaps: ReadonlyArray<number>) => {
  const receiver = new Receiver(interpreter)
  const { fiber } = pulling(receiver)
  await Promise.resolve()
  const batches: Array<{ readonly at: number; readonly heardAt: ReadonlyArray<number> }> = []
  receiver.heard.shortcut!((events) => {
    batches.push({ at: performance.now(), heardAt: timesOf(events) })
    return events.length
  })
  for (const gap of gaps) {
    vi.advanceTimersByTime(gap)
    hear(receiver, performance.now())
  }
  vi.advanceTimersByTime(10)
  Effect.runFork(Fiber.interrupt(fiber))
  return batches
}

describe("a receiver's timing", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate", "performance"] }))
  afterEach(() => void vi.useRealTimers())

  it("keeps no point of a simulator at 60 Hz waiting", async () => {
    const batches = await delivered(Array.from({ length: 20 }, () => 17))
    expect(batches.map(({ at }) => [at])).toEqual(batches.map(({ heardAt }) => heardAt))
    expect(batches.length).toBe(20)
  })

  it("hands over one at 1 kHz in batches", async () => {
    const batches = await delivered(Array.from({ length: 400 }, () => 1))
    expect(batches.length).toBeLessThanOrEqual(400 / SPACING_MS + 1)
  })

  it("keeps none waiting for longer than the spacing, gives each once and in order, and hands over no sooner", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), async (gaps) => {
        const begin = performance.now()
        const batches = await delivered(gaps)
        let sum = begin
        expect(batches.flatMap(({ heardAt }) => heardAt)).toEqual(gaps.map((gap) => (sum += gap)))
        for (const { at, heardAt } of batches) expect(at - heardAt[0]!).toBeLessThanOrEqual(SPACING_MS)
        const spacings = batches.slice(1).map(({ at }, n) => at - batches[n]!.at)
        for (const spacing of spacings) expect(spacing).toBeGreaterThanOrEqual(SPACING_MS)
      })
    ))
})
