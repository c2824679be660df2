/** What a node does about others, by a clock turned by hand; test/faults/takeover.test.ts has real nodes. */
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, Schedule, TestClock } from "effect"
import * as Takeover from "../../../src/cluster/takeover/Takeover.ts"
import type { KeptConnection } from "../../../src/domain/Connection.ts"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { systemTiming, Timing } from "../../../src/platform/Timing.ts"
import { Intake } from "../../../src/recording/intake/Intake.ts"
import { Handover } from "../../../src/simulators/connection/Handover.ts"
import { Laps } from "../../../src/store/Laps.ts"
import { Nodes, type NodeHolder, type NodeState } from "../../../src/store/Nodes.ts"
import { RowStore } from "../../../src/store/RowStore.ts"
import { Sessions } from "../../../src/store/Sessions.ts"
import { type Held, type Taken, Takeovers } from "../../../src/store/Takeovers.ts"

const me: NodeHolder = { node: "me", holder: "my process", described: "this process", ended: undefined }
const kept = (port: number, enabled = true): KeptConnection => ({
  request: { host: "rig", port, appName: "app", options: {} },
  enabled,
  run: "run"
})
/** The calls that are not effects cannot be mocked by themselves. */
const unused = {
  isOpenTo: () => true,
  tryOffer: () => true,
  giveUp: () => undefined,
  begin: () => undefined,
  isGone: () => false,
  isTakenOver: () => false,
  fallBehind: () => undefined
}
const away = new StoreUnavailable({ store: "test", cause: "away" })

const world = () => {
  const state = {
    /** Of each node; a third one that beats as well only if a test adds it. */
    beats: { me: 0, other: 0 } as Record<string, number>,
    taken: 0,
    held: new Map<string, Held>(),
    gives: undefined as Taken | undefined,
    catalogAway: false,
    /** The take is done, and its answer is lost. */
    answerLost: false,
    pointsAway: false,
    isWaiting: false,
    /** Seconds of its monotonic clock to a second of the test. */
    pace: 1,
    calls: [] as Array<string>
  }
  const call = (...parts: ReadonlyArray<unknown>) => void state.calls.push(parts.join(" "))
  const stateOf = (node: string): NodeState => ({
    node,
    holder: `process of ${node}`,
    described: node,
    url: null,
    version: "",
    lease: 3,
    beat: state.beats[node]!,
    taken: node === "me" ? state.taken : 0,
    silent: node === "other" ? null : 0
  })
  const unlessAway = <A>(make: () => A) =>
    Effect.suspend(() => (state.catalogAway ? away : Effect.sync(make)))
  const layer = Takeover.layer(me).pipe(
    Layer.provide([
      Layer.mock(Nodes, { all: unlessAway(() => Object.keys(state.beats).map(stateOf)) }),
      Layer.mock(Takeovers, {
        held: unlessAway(() => state.held),
        take: (from, _, { allSessions, connections }) =>
          Effect.suspend(() => {
            const ports = connections.map(({ request }) => request.port)
            call("take", from.node, ports.join("+"), allSessions ? "all" : "")
            const { answerLost } = state
            state.answerLost = false
            if (state.gives !== undefined) state.held.delete(from.node)
            if (!answerLost) return Effect.succeed(state.gives)
            state.held.set("me", { connections, sessions: 1 })
            return away
          }),
        continueSession: (id, until) => Effect.sync(() => call("cut", id, until))
      }),
      Layer.mock(Handover, {
        possible: (all) => Effect.succeed(all.filter(({ request }) => request.port < 10)),
        open: ({ request }, sessionId) => Effect.sync(() => call("open", request.port, sessionId)),
        leave: Effect.sync(() => call("leave"))
      }),
      Layer.mock(RowStore, {
        bounds: () =>
          Effect.suspend(() =>
            state.pointsAway ? away : Effect.succeed(Option.some({ first: 1, last: 99 }))
          ),
        isWaiting: () => state.isWaiting,
        seal: (id) => Effect.sync(() => call("seal", id))
      }),
      Layer.mock(Sessions, { extendSessions: () => Effect.void }),
      Layer.mock(Laps, { laps: () => Effect.succeed([]) }),
      Layer.mock(Intake, {
        ...unused,
        offer: (entry) =>
          Effect.sync(() => {
            if (entry._tag !== "End") return
            call("end", entry.sessionId)
            Deferred.unsafeDone(entry.done, Effect.void)
          })
      })
    ])
  )
  const started = Effect.gen(function* () {
    const clock = yield* Effect.clock
    const timing = { ...systemTiming, now: () => state.pace * clock.unsafeCurrentTimeMillis() }
    yield* Layer.build(Layer.provide(layer, Layer.succeed(Timing, timing)))
  })
  /** Lets so many seconds pass, and returns what was called meanwhile. */
  const pass = Effect.fnUntraced(function* (seconds: number) {
    state.calls = []
    yield* TestClock.adjust(`${seconds} seconds`)
    return state.calls
  })
  return { state, started, pass }
}

describe("a node of a cluster", () => {
  it.scoped("takes over one that has stopped, cuts the session and only then opens the connection", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.held.set("other", { connections: [kept(1), kept(2), kept(3, false), kept(20)], sessions: 2 })
      state.gives = {
        connections: [
          { kept: kept(1), sessionId: 7 },
          { kept: kept(2), sessionId: undefined },
          { kept: kept(3, false), sessionId: undefined }
        ],
        sessions: [6]
      }
      yield* started
      expect(yield* pass(2.5)).toEqual([])
      const calls = yield* pass(1)
      expect(calls[0]).toBe("take other 1+2+3 ")
      expect(calls.filter((one) => / 7\b/.test(one))).toEqual(["cut 7 99", "seal 7", "open 1 7"])
      expect(calls.filter((one) => / 6\b/.test(one))).toEqual(["cut 6 99", "seal 6", "end 6"])
      expect(calls.filter((one) => one.startsWith("open"))).toHaveLength(2)
      expect(yield* pass(10)).toEqual([])
    })
  )

  it.scoped("takes one in three where two others run, and all that is left after another second", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.beats = { another: 0, me: 0, other: 0, third: 0 }
      const running = Effect.sync(() => {
        state.beats["another"]!++
        state.beats["third"]!++
      })
      yield* Effect.forkScoped(Effect.repeat(running, Schedule.spaced("1 second")))
      state.held.set("other", { connections: [2, 3, 4, 5, 6].map((port) => kept(port)), sessions: 0 })
      // A connection of a node that runs counts as well: `another` has taken it.
      state.held.set("another", { connections: [kept(1)], sessions: 0 })
      yield* started
      expect(new Set(yield* pass(3.5))).toEqual(new Set(["take other 2+5 "]))
      expect((yield* pass(1.5)).at(-1)).toBe("take other 2+3+4+5+6 ")
    })
  )

  it.scoped(
    "lets the simulator go on in another session if the points are away, and ends the old one later",
    () =>
      Effect.gen(function* () {
        const { pass, started, state } = world()
        state.held.set("other", { connections: [kept(1)], sessions: 1 })
        state.gives = { connections: [{ kept: kept(1), sessionId: 7 }], sessions: [] }
        state.pointsAway = true
        yield* started
        expect(yield* pass(3.5)).toEqual(["take other 1 ", "open 1 "])
        state.pointsAway = false
        expect(yield* pass(30)).toEqual(["cut 7 99", "seal 7", "end 7"])
      })
  )

  it.scoped("begins another session while rows of its earlier part wait on its disk", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.held.set("other", { connections: [kept(1)], sessions: 1 })
      state.gives = { connections: [{ kept: kept(1), sessionId: 7 }], sessions: [] }
      state.isWaiting = true
      yield* started
      expect(yield* pass(3.5)).toEqual(["take other 1 ", "open 1 "])
      state.isWaiting = false
      expect(yield* pass(30)).toEqual(["cut 7 99", "seal 7", "end 7"])
    })
  )

  it.scoped("takes nothing while the catalog is away, nor from one that was heard of since", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.held.set("other", { connections: [kept(1)], sessions: 1 })
      yield* started
      yield* pass(2)
      state.catalogAway = true
      yield* pass(20)
      state.catalogAway = false
      expect(yield* pass(2.5)).toEqual([])
      state.beats["other"]!++
      expect(yield* pass(2.5)).toEqual([])
      expect(yield* pass(1)).toEqual(["take other 1 "])
    })
  )

  it.scoped("leaves what another took from it before it takes anything", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      yield* started
      yield* pass(3)
      state.taken++
      state.held.set("other", { connections: [kept(1)], sessions: 1 })
      expect((yield* pass(0.5)).slice(0, 2)).toEqual(["leave", "take other 1 "])
    })
  )

  it.scoped("goes on with what it took without having had the answer", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.held.set("other", { connections: [kept(1)], sessions: 1 })
      state.gives = { connections: [{ kept: kept(1), sessionId: 7 }], sessions: [] }
      state.answerLost = true
      yield* started
      const calls = yield* pass(4)
      expect(calls).toEqual(["take other 1 ", "take me 1 ", "cut 7 99", "seal 7", "open 1 7"])
      expect(yield* pass(10)).toEqual([])
    })
  )

  it.scoped("that keeps house ends after ten minutes what nobody could take", () =>
    Effect.gen(function* () {
      const { pass, started, state } = world()
      state.held.set("other", { connections: [kept(20)], sessions: 1 })
      state.gives = { connections: [], sessions: [5] }
      // Still less than the longest pause between two looks.
      state.pace = 2.5
      yield* started
      expect(yield* pass(239)).toEqual([])
      expect(yield* pass(2)).toEqual(["take other  all", "cut 5 99", "seal 5", "end 5"])
    })
  )
})
