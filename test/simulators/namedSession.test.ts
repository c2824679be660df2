import { describe, expect, it } from "vitest"
import { EventBuffer, newSample } from "../../src/simulators/EventBuffer.ts"
import { NamedSession, type KnownSessionNames } from "../../src/simulators/NamedSession.ts"

const names: KnownSessionNames = { circuit: "Monza", vehicle: "SF90", driver: "Leclerc", circuitLength: 5793 }
const point = (time: number) => ({ ...newSample(), time })
const tagsOf = (events: EventBuffer) => events.take().map(({ _tag }) => _tag)

const begun = () => {
  const session = new NamedSession()
  const events = new EventBuffer()
  session.begin(100, events)
  events.point(point(1))
  return { session, events }
}

describe("a session that waits for its names", () => {
  it("holds its points until they are known, and starts before them", () => {
    const { events, session } = begun()
    expect(session.isDue(false, 101)).toBe(false)
    expect(tagsOf(events)).toEqual([])
    expect(session.isDue(true, 101)).toBe(true)
    session.start(names, events)
    events.point(point(2))
    expect([session.isBegun, session.isWaiting, session.isRunning]).toEqual([true, false, true])
    expect(events.take()).toMatchObject([
      { _tag: "SessionStarted", ...names, clockZero: undefined, startLine: undefined, tellsLaps: true },
      { _tag: "Points", batch: { length: 1 } },
      { _tag: "Points", batch: { length: 1 } }
    ])
  })

  it("waits for ten seconds from its first point, however many come", () => {
    const { events, session } = begun()
    session.begin(105, events)
    expect(session.isDue(false, 109.9)).toBe(false)
    expect(session.isDue(false, 110)).toBe(true)
  })

  it("is due once: not before its first point, nor when it runs", () => {
    const session = new NamedSession()
    expect([session.isBegun, session.isDue(true, 100)]).toEqual([false, false])
    const events = new EventBuffer()
    session.begin(100, events)
    session.start(names, events)
    session.begin(101, events)
    expect([session.isRunning, session.isDue(true, 200)]).toEqual([true, false])
    expect(tagsOf(events)).toEqual(["SessionStarted"])
  })

  it("is followed by another, which waits for its own names", () => {
    const { events, session } = begun()
    session.start(names, events)
    session.reset()
    expect(session.isBegun).toBe(false)
    session.begin(200, events)
    events.point(point(2))
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
    session.start(names, events)
    expect(tagsOf(events)).toEqual(["SessionStarted", "Points"])
  })
})
