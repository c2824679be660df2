import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import * as RpcEndpoint from "../../src/cluster/RpcEndpoint.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { feed, session } from "../live/support.ts"
import { HeldChannel } from "./support.ts"

it.scoped("RpcEndpoint leaves out points while the other side is behind, and never an event", () =>
  Effect.gen(function* () {
    const channel = new HeldChannel()
    const { publish } = yield* RpcEndpoint.make(channel)
    const points = (time: number) => publish({ type: "points", sessionId: 1, batch: feed(time, 1, 60) })
    const times = () =>
      channel.sent.flatMap((message) => (message.type === "points" ? [message.data[0]] : []))
    for (let time = 0; time < 1000; time++) points(time)
    const most = times().length
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(1000)
    expect(times()).toEqual(Array.from({ length: most }, (_, time) => time))
    for (let n = 0; n < 1000; n++)
      publish({ type: "event", event: { type: "session", sessionId: n, data: session } })
    expect(channel.sent).toHaveLength(most + 1000)
    // No points before it has caught up with the events as well.
    channel.take(1000)
    points(1000)
    expect(times()).toHaveLength(most)
    channel.take(1)
    points(1001)
    points(1002)
    expect(times().slice(most)).toEqual([1001])
    channel.take(Infinity)
    points(1003)
    expect(times().slice(most)).toEqual([1001, 1003])
  })
)

it.scoped("RpcEndpoint holds back samples while the other side is behind, but not points", () =>
  Effect.gen(function* () {
    const channel = new HeldChannel()
    const { publish } = yield* RpcEndpoint.make(channel)
    const samples = (time: number) =>
      publish({
        type: "samples",
        sessionId: 1,
        groups: [{ group: "fuel", batch: new RowBatch(1, Float64Array.of(time, 40), ["timestamp", "fuel"]) }]
      })
    for (let time = 0; time < 100_000; time++) samples(time)
    const most = channel.sent.length
    expect(most).toBeLessThan(1000)
    publish({ type: "points", sessionId: 1, batch: feed(1, 1, 60) })
    expect(channel.sent.slice(most).map(({ type }) => type)).toEqual(["points"])
    channel.take(Infinity)
    publish({ type: "points", sessionId: 1, batch: feed(2, 1, 60) })
    const [held, points] = channel.sent.slice(most + 1)
    expect(points).toMatchObject({ type: "points" })
    // The newest samples, up to a bound.
    const groups = held?.type === "samples" ? held.groups : []
    expect(groups.map(({ data, length }) => data[length - 1])).toEqual([99_999])
    expect(groups[0]!.data.byteLength).toBeLessThan(600_000)
  })
)

it.scoped("RpcEndpoint sends one status at a time, and then the newest of later ones", () =>
  Effect.gen(function* () {
    const channel = new HeldChannel()
    const { publishStatus } = yield* RpcEndpoint.make(channel)
    const arrivals = () =>
      channel.sent.flatMap((message) => (message.type === "status" ? [message.status?.lastArrival] : []))
    const arrive = (lastArrival: number) => publishStatus({ connections: [], listening: [], lastArrival })
    for (let time = 0; time < 100; time++) arrive(time)
    expect(arrivals()).toEqual([0])
    channel.take(1)
    expect(arrivals()).toEqual([0, 99])
    publishStatus(null)
    channel.take(1)
    expect(arrivals()).toEqual([0, 99, undefined])
    channel.take(1)
    arrive(100)
    expect(arrivals()).toEqual([0, 99, undefined, 100])
  })
)

it.scoped("RpcEndpoint sends the newest status again when the other side begins to receive", () =>
  Effect.gen(function* () {
    const channel = new HeldChannel()
    const { observe, publishStatus } = yield* RpcEndpoint.make(channel)
    channel.say({ type: "observing" })
    expect(channel.sent).toEqual([])
    publishStatus({ connections: [], listening: [], lastArrival: 1 })
    publishStatus({ connections: [], listening: [], lastArrival: 2 })
    channel.take(Infinity)
    channel.take(Infinity)
    channel.say({ type: "observing" })
    expect(channel.sent.map((message) => message.type === "status" && message.status?.lastArrival)).toEqual([
      1, 2, 2
    ])
    yield* observe
    expect(channel.sent.at(-1)).toEqual({ type: "observing" })
  })
)

it.scoped("RpcEndpoint fails pending requests when it ends, and every later one", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const channel = new HeldChannel()
    const { counts, recording } = yield* Scope.extend(RpcEndpoint.make(channel), scope)
    const pending = [
      yield* Effect.fork(recording.status),
      yield* Effect.fork(recording.disconnect(undefined)),
      yield* Effect.fork(counts)
    ]
    yield* Effect.yieldNow()
    expect(channel.sent).toMatchObject([{ asked: "status" }, { asked: "disconnect" }, { asked: "counts" }])
    yield* Scope.close(scope, Exit.void)
    for (const fiber of pending) {
      const error = yield* Effect.flip(Fiber.join<unknown, unknown>(fiber))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", store: "recording" })
    }
    expect(yield* Effect.flip(recording.known)).toMatchObject({ _tag: "StoreUnavailable" })
    expect(channel.sent).toHaveLength(3)
  })
)

it.scoped("RpcEndpoint endures answers without a waiting request, and requests without an answer", () =>
  Effect.gen(function* () {
    const channel = new HeldChannel()
    const { recording } = yield* RpcEndpoint.make(channel)
    const asking = yield* Effect.fork(recording.known)
    yield* Effect.yieldNow()
    yield* Fiber.interrupt(asking)
    channel.say({ type: "answer", id: 1, answer: { outcome: "value", value: [] } })
    channel.say({ type: "answer", id: 77, answer: { outcome: "value", value: [] } })
    channel.say({ type: "ask", id: 5, asked: "status", argument: undefined })
    yield* Effect.yieldNow()
    expect(channel.sent.at(-1)).toMatchObject({
      type: "answer",
      id: 5,
      answer: { outcome: "error", tag: "StoreUnavailable" }
    })
  })
)
