import { once } from "node:events"
import { MessageChannel } from "node:worker_threads"
import { expect, it } from "@effect/vitest"
import { Cause, type Duration, Effect, Exit, Fiber } from "effect"
import * as Threads from "../../../src/platform/threads/Threads.ts"
import type * as Functions from "./functions.ts"

const threads = (most: number, idle: Duration.DurationInput = "5 minutes", entry = "./functions.ts") =>
  Threads.make<typeof Functions>(new URL(entry, import.meta.url), { most, idle })

const given = <Task>(task: Task): Effect.Effect<Threads.ThreadTask<Task>> =>
  Effect.succeed({ task, transfer: [] })

/** A port to hand over, and the events at its other end. */
const channel = () => {
  const { port1, port2 } = new MessageChannel()
  return {
    task: Effect.succeed({ task: { port: port2 }, transfer: [port2] }),
    received: Effect.promise(() => once(port1, "message")),
    closed: Effect.promise(() => once(port1, "close"))
  }
}

const sumOf = ({ call }: Threads.Threads<typeof Functions>, ...values: ReadonlyArray<number>) =>
  call("sum", given({ values: Float64Array.from(values) }))

const defectOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) =>
    Exit.isFailure(exit) ? Cause.squash(exit.cause) : "it succeeded"
  )

it.scopedLive("a call transfers buffers and returns the result", () =>
  Effect.gen(function* () {
    const { call } = yield* threads(2)
    const values = Float64Array.of(1, 2, 3.5)
    expect(yield* call("sum", Effect.succeed({ task: { values }, transfer: [values.buffer] }))).toBe(6.5)
    expect(values.length).toBe(0)
    expect(yield* Effect.flip(call("sum", Effect.fail("nothing gathered")))).toBe("nothing gathered")
  })
)

it.scopedLive(
  "a function that throws, and a thread that dies, are defects with their cause; the next call works",
  () =>
    Effect.gen(function* () {
      const pool = yield* threads(1)
      const refused = yield* defectOf(pool.call("refuse", given({ reason: "too far" })))
      expect(refused).toMatchObject({ name: "RangeError", message: "too far" })
      expect(yield* sumOf(pool, 1, 2)).toBe(3)
      expect(yield* defectOf(pool.call("crash", given({})))).toMatchObject({
        message: "out of nowhere"
      })
      expect(yield* sumOf(pool, 3, 4)).toBe(7)
      const left = yield* defectOf(pool.call("leave", given({ code: 7 })))
      expect(String(left)).toContain("exit code 7")
      expect(yield* sumOf(pool, 5, 6)).toBe(11)
    })
)

it.scopedLive("an entry that cannot be loaded is a defect of the call", () =>
  Effect.gen(function* () {
    const pool = yield* threads(1, "5 minutes", "./nowhere.ts")
    const defect = yield* defectOf(sumOf(pool, 1))
    expect(String(defect)).toContain("/test/platform/threads/nowhere.ts")
  })
)

it.scopedLive("an interrupted call stops computing, and frees its thread's place", () =>
  Effect.gen(function* () {
    const pool = yield* threads(1)
    const { closed, task, received } = channel()
    const spinning = yield* Effect.fork(pool.call("spin", task))
    yield* received
    const ended = yield* Effect.fork(closed)
    yield* Fiber.interrupt(spinning)
    // The other end of its port closes only with the thread, which alone holds it.
    yield* Fiber.join(ended)
    expect(yield* sumOf(pool, 1, 2)).toBe(3)
  })
)

it.scopedLive("a call without a free thread collects no input until one is free", () =>
  Effect.gen(function* () {
    const pool = yield* threads(2)
    const spinning = yield* Effect.forEach([channel(), channel()], ({ task, received }) =>
      Effect.zipLeft(Effect.fork(pool.call("spin", task)), received)
    )
    const gathered: Array<string> = []
    const waiting = yield* Effect.fork(
      pool.call(
        "sum",
        Effect.sync(() => {
          gathered.push("now")
          return { task: { values: Float64Array.of(1) }, transfer: [] }
        })
      )
    )
    yield* Effect.repeatN(Effect.yieldNow(), 100)
    expect(gathered).toEqual([])
    const given = yield* Effect.fork(pool.call("sum", Effect.never))
    yield* Effect.yieldNow()
    // Waiting is interruptible, too.
    yield* Fiber.interrupt(given)
    yield* Fiber.interrupt(spinning[0]!)
    expect(yield* Fiber.join(waiting)).toBe(1)
    expect(gathered).toEqual(["now"])
    yield* Fiber.interrupt(spinning[1]!)
  })
)

it.scopedLive("a thread with nothing to do ends, and the next call starts one", () =>
  Effect.gen(function* () {
    const pool = yield* threads(1, "100 millis")
    const { closed, task } = channel()
    const ended = yield* Effect.fork(closed)
    expect(yield* pool.call("hold", task)).toBe(1)
    yield* Fiber.join(ended)
    expect(yield* sumOf(pool, 2, 2)).toBe(4)
  })
)
