/** Assetto Corsa Competizione: where sessions begin and end. */
import { describe, expect, it } from "vitest"
import { encodeEntryList } from "../../../../simulator/emulators/acc/encode.ts"
import { answers, CAR, CONNECTION, drive, entry, link, update } from "./link.ts"
import { column, discarded, falls, story } from "../suite/events.ts"

describe("sessions", () => {
  it.each([
    ["another number", { sessionIndex: 1 }],
    ["another kind", { sessionType: 4 }],
    ["another event", { eventIndex: 1 }],
    ["its time from the start again", {}]
  ])("begin with %s", (_, session) => {
    const events = link().receive([
      ...answers,
      ...drive(3, 1000, 2000, 500_000),
      ...drive(0, 0, 200, 0, {}, session)
    ])
    // The first update may have been a straggler of a session before.
    expect(story(events)).toEqual(["SessionStarted", 50, "SessionStarted", 9])
    expect(falls(column(events, "timestamp"))).toBe(0)
  })

  it("do not begin with a late update", () => {
    const straggler = update(2000, { sessionIndex: 0 })
    const events = link().receive([
      ...answers,
      ...drive(3, 1000, 2000, 500_000),
      ...drive(0, 0, 100, 0, {}, { sessionIndex: 1 }),
      straggler,
      ...drive(0, 100, 200, 0, {}, { sessionIndex: 1 })
    ])
    expect(story(events)).toEqual(["SessionStarted", 50, "SessionStarted", 9])
  })

  it("end when they are over and all cars have finished", () => {
    const { receive } = link()
    const events = receive([
      ...answers,
      ...drive(0, 0, 100, 0),
      ...drive(0, 100, 200, 0, {}, { phase: 6 }),
      ...drive(0, 200, 300, 0, {}, { phase: 7 })
    ])
    expect(story(events)).toEqual(["SessionStarted", 10, "SessionEnded"])
    expect(discarded(events, "late")).toBe(0)
  })

  it("of another car begin when ours is no longer there", () => {
    const { receive, wait } = link()
    const rival = { focusedCarIndex: 1002 }
    const others = (from: number) => drive(0, from, from + 100, 0, { carIndex: 1002 }, rival)
    const before = receive([...answers, ...drive(0, 0, 100, 0), ...others(100)])
    expect(story(before)).toEqual(["SessionStarted", 5])
    const after = receive([encodeEntryList(CONNECTION, [1002]), ...others(200)])
    expect(story(after)).toEqual(["SessionStarted", 5])
    expect(after[0]).toMatchObject({ vehicle: "BMW M4 GT3" })
    wait(5)
    const silent = Array.from({ length: 5 }, (_, n) => update(5400 + 20 * n))
    expect(story(receive(silent))).toEqual([])
    wait(0.5)
    expect(story(receive([entry(CAR), ...drive(0, 6000, 6100, 0)]))).toEqual(["SessionStarted", 5])
  })
})
