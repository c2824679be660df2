/** The state of connections as a subscription, and how a service and a client end calls. */
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Queue, Scope, SubscriptionRef } from "effect"
import { AnalysisWorkers } from "../../../src/archive/AnalysisWorkers.ts"
import { Simulators } from "../../../src/simulators/connection/Simulators.ts"
import type { SimulatorsStatus } from "../../../src/simulators/connection/SimulatorsStatus.ts"
import { connectionChanges } from "../../../src/api/trpc/connectionChanges.ts"
import { feedAt, feeding, twoLaps } from "../feeds.ts"
import { inside, serviceInside } from "../../support/inside.ts"
import { service } from "../../support/service.ts"
import { storeDrive } from "../stored.ts"
import { feed } from "../../live/support.ts"
import { settle } from "../../recording/fibers.ts"
import type { TelemetryClient } from "../../../src/api/trpc/client.ts"
import { clientOf, subscribed, until } from "./support.ts"

interface StateEvent {
  readonly id: string
  readonly data: Pick<
    Awaited<ReturnType<TelemetryClient["system"]["status"]["query"]>>,
    "connected" | "last_telemetry" | "connections"
  >
}

/** Nothing is connected; telemetry last arrived in that second of a minute. */
const statusAt = (second: number): SimulatorsStatus => ({
  connections: [],
  listening: [],
  lastArrival: 1_771_000_020 + second
})

it.scopedLive("the subscription sends the state of connections at once, and at every change", () =>
  Effect.gen(function* () {
    const running = yield* service()
    const client = clientOf(running)
    const watching = () =>
      subscribed<StateEvent>((handlers) => client.live.connections.subscribe({}, handlers))
    const { last_telemetry } = yield* Effect.promise(() => client.system.status.query())
    const early = yield* watching()
    const newest = () => early.events.at(-1)?.data
    // If files share a service, the first state may be the one that the file before left: updates are 250 ms apart.
    yield* until(() => newest()?.connections.length === 0 && newest()?.last_telemetry === last_telemetry)
    expect(newest()).toEqual({ connected: false, last_telemetry, connections: [] })
    const port = yield* feeding(twoLaps)
    yield* Effect.promise(() => client.connections.connect.mutate(feedAt(port)))
    yield* until(() => newest()?.connections[0]?.points_stored === twoLaps.points)
    const status = yield* Effect.promise(() => client.system.status.query())
    const late = yield* watching()
    // At once; another process may not know of the last changes yet.
    yield* until(() => late.events.at(-1)?.data.connections[0]?.points_stored === twoLaps.points)
    expect(late.events.at(-1)!.data).toEqual({
      connected: status.connected,
      last_telemetry: status.last_telemetry,
      connections: status.connections
    })
    yield* Effect.promise(() => client.connections.disconnect.mutate())
    yield* until(() => newest()?.connections.length === 0 && late.events.at(-1)?.data.connected === false)
    expect(early.events.map(({ id }) => id)).toEqual(early.events.map((_, index) => String(index)))
    const texts = early.events.map(({ data }) => JSON.stringify(data))
    texts.forEach((text, index) => expect(text).not.toBe(texts[index + 1]))
  })
)

it.scoped("a slow client is sent the newest state, and not every one before it", () =>
  Effect.gen(function* () {
    const newest = yield* SubscriptionRef.make(statusAt(0))
    const simulators = Layer.mock(Simulators, { statusChanges: newest.changes })
    const next = yield* Effect.provide(connectionChanges, simulators)
    const arrivals = Effect.map(next, (events) =>
      events.map(([{ last_telemetry }, index]) => [last_telemetry?.slice(17, 19), index])
    )
    expect(yield* arrivals).toEqual([["00", 0]])
    for (let second = 1; second <= 50; second++) {
      yield* SubscriptionRef.set(newest, statusAt(second))
      yield* settle
    }
    expect(yield* arrivals).toEqual([["50", 1]])
  })
)

inside("the end of the service ends subscriptions without a closing event, so that clients come back", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const running = yield* Scope.extend(serviceInside(), scope)
    const response = yield* running.fetch("/trpc/live.telemetry")
    const pieces = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    yield* until(() => running.hub.stats().subscribers === 1)
    running.hub.publish(1, feed(0, 1, 60))
    let text = ""
    while (!text.includes('"timestamp":0')) text += (yield* Effect.promise(() => pieces.read())).value
    yield* Scope.close(scope, Exit.void)
    for (;;) {
      const { done, value } = yield* Effect.promise(() => pieces.read())
      if (done) break
      text += value
    }
    // With `return` a client would take the subscription for finished.
    expect(text).not.toContain("event: return")
    expect(running.logged.filter(({ level }) => level !== "DEBUG" && level !== "INFO")).toEqual([])
  })
)

inside("a client that goes away interrupts its call", () =>
  Effect.gen(function* () {
    const [begun, ended] = yield* Effect.all([Queue.unbounded<true>(), Queue.unbounded<true>()])
    const computing = Queue.offer(begun, true).pipe(
      Effect.zipRight(Effect.never),
      Effect.onInterrupt(() => Queue.offer(ended, true))
    )
    const running = yield* serviceInside({
      workers: Layer.mock(AnalysisWorkers, { anomalies: () => computing })
    })
    const { session } = yield* storeDrive(running, { count: 50, laps: 2, lapPoints: 20 })
    const input = { sessionId: session.id }
    const url = `${running.url}/trpc/analysis.anomalies`
    const asking: ReadonlyArray<(signal: AbortSignal) => Promise<unknown>> = [
      (signal) => fetch(`${url}?input=${encodeURIComponent(JSON.stringify(input))}`, { signal }),
      (signal) =>
        fetch(`${url}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`, { signal }),
      (signal) => clientOf(running).analysis.anomalies.query(input, { signal })
    ]
    for (const ask of asking) {
      const going = new AbortController()
      const call = yield* Effect.fork(Effect.tryPromise(() => ask(going.signal)))
      yield* Queue.take(begun)
      going.abort()
      yield* Queue.take(ended)
      expect(Exit.isFailure(yield* Fiber.await(call))).toBe(true)
    }
    expect(running.logged.filter(({ level }) => level === "ERROR")).toEqual([])
  })
)
