import { describe, expect, it } from "vitest"
import { EventBuffer, newSample } from "../../src/simulators/EventBuffer.ts"
import { NamedSession, type KnownSessionNames } from "../../src/simulators/timekeeping/NamedSession.ts"
import { kindOf } from "./rows.ts"

const names: KnownSessionNames = { circuit: "Monza", vehicle: "SF90", driver: "Leclerc", circuitLength: 5793 }
const point = (time: number) => ({ ...newSample(), time })
const tagsOf = (events: EventBuffer) => events.take().map(kindOf)

const begun = () => {
  const reported = { isKnown: false, names }
  const session = new NamedSession(
    () => reported.isKnown,
    () => reported.names
  )
  const events = new EventBuffer()
  session.begin(100, events)
  events.point(point(1))
  return { session, events, reported }
}

describe("a session that waits for its names", () => {
  it("holds its points until they are known, and starts before them", () => {
    const { events, session, reported } = begun()
    session.settle(101, events)
    expect([session.isBegun, session.isRunning, tagsOf(events)]).toEqual([true, false, []])
    reported.isKnown = true
    session.settle(101, events)
    events.point(point(2))
    expect([session.isBegun, session.isRunning]).toEqual([true, true])
    expect(events.take()).toMatchObject([
      {
        _tag: "SessionStarted",
        ...names,
        clockZero: undefined,
        startLine: undefined,
        tellsLaps: true,
        numbersLaps: true
      },
      { _tag: "Rows", group: "points", batch: { length: 1 } },
      { _tag: "Rows", group: "points", batch: { length: 1 } }
    ])
  })

  it("waits for ten seconds from its first point, however many come", () => {
    const { events, session } = begun()
    session.begin(105, events)
    session.begin(109.9, events)
    expect(tagsOf(events)).toEqual([])
    session.begin(110, events)
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
  })

  it("sends on names that come after that, once", () => {
    const { events, session, reported } = begun()
    reported.names = { ...names, driver: "" }
    session.begin(110, events)
    session.begin(111, events)
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
    reported.names = names
    reported.isKnown = true
    session.begin(112, events)
    session.begin(113, events)
    const { circuit, driver, vehicle } = names
    expect(events.take()).toEqual([{ _tag: "SessionNamed", names: { circuit, driver, vehicle } }])
    reported.names = { ...names, driver: "Rival" }
    session.begin(114, events)
    expect(tagsOf(events)).toEqual([])
  })

  it("starts once: not before its first point, and not while it runs", () => {
    const session = new NamedSession(
      () => true,
      () => names
    )
    const events = new EventBuffer()
    session.settle(100, events)
    expect([session.isBegun, tagsOf(events)]).toEqual([false, []])
    session.begin(100, events)
    session.begin(101, events)
    session.settle(200, events)
    expect(tagsOf(events)).toEqual(["SessionStarted"])
  })

  it("is followed by another, which waits for its own names", () => {
    const { events, session, reported } = begun()
    reported.isKnown = true
    session.begin(101, events)
    session.leave(events)
    reported.isKnown = false
    expect(session.isBegun).toBe(false)
    session.begin(200, events)
    events.point(point(2))
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
    reported.isKnown = true
    session.settle(201, events)
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
  })

  it("starts with the known names if it is left or ends before it knows all", () => {
    for (const [leave, after] of [
      ["leave", []],
      ["end", ["SessionEnded"]]
    ] as const) {
      const { events, session, reported } = begun()
      reported.names = { ...names, driver: "" }
      session[leave](events)
      expect(session.isBegun).toBe(false)
      const [start, ...rest] = events.take()
      expect(start).toMatchObject({ _tag: "SessionStarted", driver: "", vehicle: "SF90" })
      expect(rest.map(kindOf)).toEqual(["Points", ...after])
      session[leave](events)
      expect(tagsOf(events)).toEqual([])
    }
  })
})
