/** How one feed shares the event loop: the inbox measures its work on a clock that the test turns. */
import { EventEmitter } from "node:events"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { WebSocket } from "ws"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import { Inbox } from "../../../src/simulators/drivers/native/Inbox.ts"
import { HandTurned } from "../../live/support.ts"
import { type EventKind, kindOf } from "../rows.ts"

const MIB = 2 ** 20

/** A socket that receives the test's messages, and can be paused. */
class StandIn extends EventEmitter {
  isPaused = false
  readonly pause = () => void (this.isPaused = true)
  readonly resume = () => void (this.isPaused = false)

  deliver(message: string | Uint8Array) {
    const isBinary = typeof message !== "string"
    this.emit("message", isBinary ? message : Buffer.from(message), isBinary)
  }
}

/** A feed whose events take `workMs` to record, each. */
const feed = Effect.fnUntraced(function* (workMs: number) {
  const timing = new HandTurned()
  const socket = new StandIn()
  const recorded: Array<EventKind> = []
  const offer = (events: ReadonlyArray<SimulatorEvent>) => {
    for (const event of events) recorded.push(kindOf(event))
    timing.spend(workMs * events.length)
    return true
  }
  const inbox = new Inbox(socket as unknown as WebSocket, timing)
  yield* Effect.forkScoped(inbox.deliverTo({ offer, ready: Effect.void }))
  yield* Effect.yieldNow()
  return { timing, socket, recorded }
})

/** A message that is long enough to be decoded alone. */
const longPoints = `{"type":"points","points":[{"timestamp":1,"x":"${"x".repeat(70_000)}"}]}`

const useless: ReadonlyArray<readonly [kind: string, message: string | Uint8Array]> = [
  ["nested too deeply", `{"type":"points","points":${"[".repeat(500_000)}`],
  ["of too many keys", `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join(",")}}`],
  ["too long", " ".repeat(3 * MIB)],
  ["of an unknown type", `{"type":"weather","x":"${"x".repeat(500_000)}"}`],
  ["of an unknown type and short", `{"type":"weather","x":"${"x".repeat(1000)}"}`],
  ["that are no packed points", new Uint8Array(MIB)]
]

describe("a feed", () => {
  it.scoped("whose messages take 20 ms to record rests for 60 ms after each, and loses none", () =>
    Effect.gen(function* () {
      const { recorded, socket, timing } = yield* feed(20)
      for (let n = 0; n < 4; n++) socket.deliver(longPoints)
      timing.endTurns()
      for (let n = 1; n <= 4; n++) {
        expect(recorded).toHaveLength(n)
        timing.advance(59)
        expect(recorded).toHaveLength(n)
        timing.advance(1)
      }
      socket.deliver('{"type":"session_end"}')
      timing.advance(60)
      expect(recorded).toEqual(["Points", "Points", "Points", "Points", "SessionEnded"])
    })
  )

  it.scoped("whose messages take 5 ms is read without a rest", () =>
    Effect.gen(function* () {
      const { recorded, socket, timing } = yield* feed(5)
      for (let n = 0; n < 4; n++) socket.deliver(longPoints)
      timing.endTurns()
      expect(recorded).toHaveLength(4)
    })
  )

  it.scoped.each(useless)("is read at some 20 MiB a second where messages are %s", ([, message]) =>
    Effect.gen(function* () {
      const { socket, timing } = yield* feed(0)
      const until = timing.now() + 1000
      let bytes = 0
      while (timing.now() < until && bytes < 100 * MIB) {
        if (socket.isPaused) timing.advance(1)
        else {
          socket.deliver(message)
          timing.endTurns()
          // Of short messages, those within 2 ms of the last delivery wait for it.
          if (message.length < 64 * 1024) timing.advance(0.01)
          bytes += message.length
        }
      }
      expect(bytes / MIB).toBeGreaterThan(15)
      expect(bytes / MIB).toBeLessThan(30)
    })
  )
})
