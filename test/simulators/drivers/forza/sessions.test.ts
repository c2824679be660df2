/** Forza: single cases of the clock, points and sessions. */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { driven, eventsOfPackets, onlySession, packet, roam, starts } from "./packets.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { discarded, eventsOf, pointAt, recorded } from "../suite/events.ts"

it("reads reverse, keeps the gear while it shifts, and the wheel from lock to lock", () => {
  const gears = [11, 1, 11, 11, 2, 10, 0, 11, 12]
  const { batch } = onlySession(gears.map((gear, i) => ({ gear, steer: i - 128, stamp: i * 100 })))
  expect(Array.from(batch.column("gear"))).toEqual([0, 1, 1, 1, 2, 10, -1, -1, -1])
  expect(Array.from(batch.column("steering")).slice(0, 3)).toEqual([-1, -1, -126 / 127])
})

describe("the clock", () => {
  it("is TimestampMS if no race runs, through its wrapping around", () => {
    const { batch } = onlySession([{ stamp: -200 }, { stamp: -100 }, { stamp: 0 }, { stamp: 100 }])
    expect(Array.from(batch.timestamps, (time) => time - batch.timestamps[0]!)).toEqual([
      0,
      expect.closeTo(0.1),
      expect.closeTo(0.2),
      expect.closeTo(0.3)
    ])
  })

  it("begins with the service's, so another link goes on if the game was started again", () => {
    const events = new EventBuffer()
    const interpreter = protocol.interpreter(linkOptions())
    interpreter.datagram(packet({ stamp: 3, race: 9 }), 512.5, events)
    interpreter.end?.(events)
    expect(recorded(events.take())[0]!.batch.timestamps[0]).toBe(512.5)
  })

  it("leaves out late and repeated packets", () => {
    const sent = driven(1, { race: 10 })
    const shuffled = [...sent.slice(0, 5), sent[3]!, sent[4]!, ...sent.slice(6), sent[5]!]
    const { batch } = onlySession(shuffled)
    expect(batch.length).toBe(9)
    expect(discarded(eventsOfPackets(shuffled))).toBe(3)
  })

  it("refuses a time that is no number", () => {
    const events = eventsOfPackets([{ race: Number.NaN }, { current: Infinity }, { distance: -Infinity }])
    expect(events.map(({ _tag }) => _tag)).toEqual(["Refused", "Refused", "Refused"])
  })
})

describe("sessions", () => {
  const before = driven(100, { race: 0 })

  it("begin with another car, circuit or game", () => {
    expect(starts([...before, ...driven(5, { race: 100, car: 7 })])).toBe(2)
    expect(starts([...before, ...driven(5, { race: 100, track: 3 })])).toBe(2)
    expect(starts([...before, ...driven(5, { race: 100 })])).toBe(1)
    const other = [200_000, 200_016].map((stamp) => packet({ stamp }).subarray(0, 311))
    const events = interpret(protocol.interpreter(linkOptions()), [...before.map(packet), ...other])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(2)
  })

  it("go on through a datagram that has the length of another game's packet", () => {
    const cut = packet({ stamp: 200_000 }).subarray(0, 311)
    const after = driven(5, { race: 100 }).map(packet)
    const events = interpret(protocol.interpreter(linkOptions()), [...before.map(packet), cut, ...after])
    expect(eventsOf(events, "SessionStarted")).toHaveLength(1)
    expect(eventsOf(events, "Refused")).toHaveLength(1)
  })

  it("begin when a race starts over, in its first lap or a later one, also if its start was not received", () => {
    const stamp = 300_000
    expect(starts([...before, ...driven(5, { race: 0, stamp })])).toBe(2)
    expect(
      starts([...driven(50, { race: 200, current: 20, lap: 2 }), ...driven(5, { race: 0, stamp })])
    ).toBe(2)
    expect(starts([...before, ...driven(5, { race: 12, stamp })])).toBe(2)
    expect(
      starts([
        { lap: 3, stamp: 0 },
        { lap: 3, stamp: 100 },
        { lap: 0, stamp: 200 },
        { lap: 0, stamp: 300 }
      ])
    ).toBe(2)
  })

  it("go on through a rewind, with the clock going forward", () => {
    const sent = [...before, ...driven(20, { race: 85, stamp: 100_000 })]
    const { batch } = onlySession(sent)
    const times = batch.timestamps
    expect(batch.length).toBe(1200)
    expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
    expect(times[1000]! - times[999]!).toBeCloseTo(0.1, 3)
  })

  it("go on through a rewind of less than a second", () => {
    const { batch } = onlySession([...before, ...driven(5, { race: 99.5, stamp: 100_000 })])
    expect(batch.length).toBe(1050)
  })

  it("go on through a rewind over the line: the next laps are right", () => {
    const second = { race: 90.04, current: 0.04, lap: 1, last: 90.015 }
    const { reported } = onlySession([
      ...driven(90, { race: 0 }),
      ...driven(5, second),
      ...driven(10, { race: 82, stamp: 101_000 }),
      ...driven(88, { race: 92.03, current: 0.03, stamp: 112_000, lap: 1, last: 92 }),
      ...driven(5, { race: 180.02, current: 0.02, stamp: 200_000, lap: 2, last: 87.99 })
    ])
    expect(reported.map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [1, 90.015],
      [1, 92],
      [2, 87.99]
    ])
  })

  it("begin when a race follows free roam, and not when a race follows its grid", () => {
    expect(starts([...roam(70), ...driven(5, { race: 0.1, stamp: 70_000 })])).toBe(2)
    expect(starts([...roam(30), ...driven(5, { race: 0.1, stamp: 30_000 })])).toBe(1)
  })

  it("have the values of the wire", () => {
    const { batch, circuit, vehicle } = onlySession([{ stamp: 1000, speed: 10, steer: -127 }])
    expect([circuit, vehicle]).toEqual(["Silverstone Racing Circuit - Grand Prix Circuit", "Car #2345"])
    expect(pointAt(batch, 0)).toMatchObject({ timestamp: 100, speed: 36, gear: 4, steering: -1 })
    expect(recorded(eventsOfPackets([{ track: 999 }]))[0]!.circuit).toBe("")
  })
})
