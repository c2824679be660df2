import { describe, expect, it } from "@effect/vitest"
import { Hub } from "../../src/live/Hub.ts"
import type { Wish } from "../../src/live/Listener.ts"
import type { LiveMessage } from "../../src/live/messages.ts"
import { KEPT_EVENTS, MOST_WAITING } from "../../src/live/protocol.ts"
import type { Tap } from "../../src/live/Tap.ts"
import { feed, HandTurned, session } from "./support.ts"

const everything: Wish = { sessionId: undefined, rate: undefined, events: new Set(["lap", "session"]) }

const rig = () => {
  const timing = new HandTurned()
  const hub = new Hub(timing)
  hub.setRate(10_000)
  const tap = hub.tap(everything)
  let time = 0
  /** So many points of a session at 1000 Hz, in a batch. */
  const publish = (sessionId: number, count: number) => {
    hub.publish(sessionId, feed(time, count, 1000))
    time += count / 1000
    timing.advance(count)
  }
  const announce = (id: number) => hub.announce({ type: "session", session_id: id, data: { ...session, id } })
  return { hub, timing, tap, publish, announce }
}

const timesOf = (messages: ReadonlyArray<LiveMessage>) =>
  messages.map((message) =>
    message.type === "telemetry" ? Math.round(message.data.timestamp * 1000) : message.type
  )

/** Whether something waits, by the call that says so. */
const waits = (tap: Tap) => {
  let ready = false
  tap.whenReady(() => (ready = true))()
  return ready
}

describe("a tap", () => {
  it("gives what it was told, in order, once", () => {
    const { announce, publish, tap } = rig()
    expect(waits(tap)).toBe(false)
    publish(1, 3)
    announce(1)
    publish(1, 2)
    expect(waits(tap)).toBe(true)
    expect(timesOf(tap.take())).toEqual([0, 1, 2, "session", 3, 4])
    expect(tap.take()).toEqual([])
    expect(waits(tap)).toBe(false)
  })

  it("says once that something waits, unless that was called off", () => {
    const { publish, tap } = rig()
    let called = 0
    tap.whenReady(() => called++)
    publish(1, 1)
    publish(1, 1)
    expect(called).toBe(1)
    tap.take()
    tap.whenReady(() => called++)()
    publish(1, 1)
    expect(called).toBe(1)
  })

  it("keeps the newest where nobody takes, and counts what it leaves out", () => {
    const { announce, hub, publish, tap } = rig()
    publish(1, MOST_WAITING)
    for (let n = 1; n <= 100; n++) {
      publish(1, 10)
      publish(2, 10)
      announce(n)
    }
    const taken = tap.take()
    expect(timesOf(taken.slice(0, MOST_WAITING))).toEqual(Array.from({ length: MOST_WAITING }, (_, i) => i))
    const rest = taken.slice(MOST_WAITING)
    expect(rest).toHaveLength(KEPT_EVENTS + 2)
    const events = rest.slice(0, KEPT_EVENTS).map(({ session_id }) => session_id)
    expect(events).toEqual(Array.from({ length: KEPT_EVENTS }, (_, i) => i + 101 - KEPT_EVENTS))
    const last = MOST_WAITING + 2000 - 1
    expect(timesOf(rest.slice(-2))).toEqual([last - 10, last])
    const skipped = 2000 - 2 + 100 - KEPT_EVENTS
    expect(hub.stats()).toEqual({ subscribers: 1, sent: taken.length, skipped })
    // Caught up: nothing is left out any more.
    publish(1, 5)
    expect(tap.take()).toHaveLength(5)
    expect(hub.stats().skipped).toBe(skipped)
  })

  it("leaves nothing behind when it is closed", () => {
    const { hub, publish, tap, timing } = rig()
    publish(1, 5)
    tap.close()
    expect(hub.stats()).toEqual({ subscribers: 0, sent: 0, skipped: 5 })
    expect([hub.cadences, timing.alarms]).toEqual([0, 0])
    publish(1, 5)
    expect(hub.stats().skipped).toBe(5)
  })
})
