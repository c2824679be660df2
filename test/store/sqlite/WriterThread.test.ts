import { Worker as Thread } from "node:worker_threads"
import { expect, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowBatch } from "../../../src/domain/RowBatch.ts"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import * as SqliteStore from "../../../src/store/sqlite/SqliteStore.ts"
import { startThread } from "../../../src/store/sqlite/WriterThread.ts"
import { bitsOf, part, samplePoints } from "../../contracts/samples.ts"
import { temporaryFolder } from "./folder.ts"

const all = samplePoints(1.7e9, 12_000)

const write = (from: number, to: number) =>
  Effect.flatMap(RowStore, (store) =>
    store.write([{ sessionId: 1, group: POINTS, batch: part(all, from, to) }])
  )

const readSession = Effect.flatMap(RowStore, (store) =>
  Stream.runCollect(store.read({ sessionId: 1, group: POINTS, from: -Infinity, until: Infinity }, channels))
).pipe(Effect.map((batches) => RowBatch.concat(Chunk.toReadonlyArray(batches))))

/** Runs `body` on a store whose threads are those that `threads` starts, one after another. */
const withThreads = <A, E>(
  threads: (filename: string, index: number) => Thread,
  body: Effect.Effect<A, E, RowStore>
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    let started = 0
    const result = yield* Effect.provide(
      body,
      SqliteStore.layer(folder, (filename) => threads(filename, started++))
    )
    return { started, result }
  })

it.scopedLive("a thread that ends before it is ready fails the write; the next one starts another", () =>
  Effect.gen(function* () {
    const { started } = yield* withThreads(
      (filename, index) =>
        index === 0 ? new Thread("process.exit(3)", { eval: true }) : startThread(filename),
      Effect.gen(function* () {
        expect(yield* Effect.flip(write(0, 100))).toBeInstanceOf(StoreUnavailable)
        yield* write(0, 100)
        expect((yield* readSession).length).toBe(100)
      })
    )
    expect(started).toBe(2)
  })
)

it.scopedLive("when the thread dies, every write under way fails and can be repeated", () =>
  Effect.gen(function* () {
    const requested = yield* Deferred.make<Thread>()
    // Reports that it is ready, takes requests and never answers: it dies with them under way.
    const mute = `const { parentPort } = require("node:worker_threads")
      parentPort.on("message", () => parentPort.postMessage([1, [-1, 0, []]]))
      parentPort.postMessage([0])`
    const { started } = yield* withThreads(
      (filename, index) => {
        if (index > 0) return startThread(filename)
        const thread = new Thread(mute, { eval: true })
        thread.on("message", (message: readonly unknown[]) => {
          if (message[0] === 1) Effect.runSync(Deferred.succeed(requested, thread))
        })
        return thread
      },
      Effect.gen(function* () {
        const one = yield* Effect.fork(Effect.flip(write(0, 100)))
        const two = yield* Effect.fork(Effect.flip(write(100, 200)))
        const thread = yield* Deferred.await(requested)
        yield* Effect.promise(() => thread.terminate())
        expect(yield* Fiber.join(one)).toBeInstanceOf(StoreUnavailable)
        expect(yield* Fiber.join(two)).toBeInstanceOf(StoreUnavailable)
        yield* write(0, 200)
        expect((yield* readSession).length).toBe(200)
      })
    )
    expect(started).toBe(2)
  })
)

it.scopedLive("threads terminated anywhere in a stream of writes lose and double nothing", () =>
  Effect.gen(function* () {
    const live: Array<Thread> = []
    const { started } = yield* withThreads(
      (filename) => {
        const thread = startThread(filename)
        live.push(thread)
        return thread
      },
      Effect.gen(function* () {
        let failures = 0
        for (let at = 0; at < 12_000; at += 400) {
          const writing = yield* Effect.fork(
            Effect.retry(
              Effect.tapError(write(at, at + 400), () => Effect.sync(() => (failures += 1))),
              { times: 5 }
            )
          )
          // In the middle of a write, with a tail behind it, and once between two.
          if (at === 2000 || at === 8000) {
            yield* Effect.yieldNow()
            yield* Effect.promise(() => live.at(-1)!.terminate())
          }
          yield* Fiber.join(writing)
          if (at === 6000) yield* Effect.promise(() => live.at(-1)!.terminate())
        }
        expect(failures).toBeLessThanOrEqual(3)
        expect(bitsOf(yield* readSession).equals(bitsOf(all))).toBe(true)
      })
    )
    expect(started).toBe(4)
  })
)
