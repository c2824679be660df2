/** Gran Turismo 7: single cases of the clock, laps, sessions and replays. */
import { describe, expect, it } from "vitest"
import { Gt7Interpreter } from "../../../../src/simulators/drivers/gt7/Gt7Interpreter.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import {
  driven,
  eventsOfPackets,
  LOADING,
  ON_TRACK,
  onlySession,
  packet,
  PAUSED,
  tags,
  reported
} from "./packets.ts"
import { discarded, recorded } from "../suite/events.ts"

it("reads reverse and neutral, and not the gear that is suggested", () => {
  const gears = [0xf0, 0x31, 0xf9, 0x2f, 0xff]
  const { batch } = onlySession(gears.map((gear, id) => ({ id, gears: gear })))
  expect(Array.from(batch.column("gear"))).toEqual([-1, 1, 9, 0, 0])
})

describe("the clock", () => {
  it("is the packets' number, sixty a second", () => {
    const { batch } = onlySession(driven(6000, 61))
    expect(batch.timestamps[0]).toBe(100)
    expect(batch.timestamps[60]).toBeCloseTo(101, 9)
  })

  it("begins with the service's, so another link goes on if the game was started again", () => {
    const events = new EventBuffer()
    const interpreter = new Gt7Interpreter(900)
    interpreter.datagram(packet({ id: 3 }), 512.5, events)
    interpreter.end(events)
    expect(recorded(events.take())[0]!.batch.timestamps[0]).toBe(512.5)
  })

  it("stands still in pauses and while the game loads", () => {
    const { batch, missing } = onlySession([
      ...driven(0, 60),
      ...driven(60, 600, { flags: ON_TRACK | PAUSED }),
      ...driven(660, 60),
      ...driven(720, 600, { flags: ON_TRACK | LOADING }),
      ...driven(1320, 60)
    ])
    expect(batch.length).toBe(180)
    expect(missing).toBe(0)
    expect(batch.timestamps.every((time, i) => Math.abs(time - 100 - i / 60) < 1e-9)).toBe(true)
  })

  it("counts lost packets, and leaves out late and repeated ones", () => {
    const sent = driven(0, 20)
    const shuffled = [
      ...sent.slice(0, 5),
      sent[3]!,
      sent[4]!,
      ...sent.slice(6, 10),
      sent[5]!,
      ...sent.slice(12)
    ]
    const { batch, missing } = onlySession(shuffled)
    expect(batch.length).toBe(17)
    expect(missing).toBe(3)
    expect(discarded(eventsOfPackets(shuffled))).toBe(3)
  })

  it("goes on if the number starts over, or leaps", () => {
    for (const from of [0, 100_000_000]) {
      const { batch, missing } = onlySession([...driven(50_000, 60), ...driven(from, 60)])
      const times = batch.timestamps
      // The first one might be a single packet that is wrong.
      expect(batch.length).toBe(119)
      expect(missing).toBe(0)
      expect(times.every((time, i) => i === 0 || (time > times[i - 1]! && time < times[i - 1]! + 1))).toBe(
        true
      )
    }
  })
})

describe("laps", () => {
  const lap1 = { lapNumber: 1, lapTime: 90.008, sectors: [null, null, null], valid: undefined }
  const before = [...driven(0, 10, { lap: 0, speed: 0 }), ...driven(10, 5400)]

  it("end with the count, and a time that comes with it or packets later", () => {
    for (const late of [0, 5]) {
      const after = driven(5410, 60, { lap: 2, last: 90_008 }).map((one, i) =>
        i < late ? { ...one, last: -1 } : one
      )
      const { laps, lapDistance, lapNumber, reported } = onlySession([...before, ...after])
      expect(reported).toMatchObject([lap1])
      expect(laps[0]).toMatchObject({ lapNumber: 1, lapTime: 90.008, valid: true })
      expect([lapNumber[0], lapDistance[0]]).toEqual([Number.NaN, 0])
      expect([lapNumber[10], lapDistance[10]]).toEqual([1, 0])
      expect(lapNumber.at(-1)).toBe(2)
    }
  })

  it("end if format C reports it, even if the current lap comes a packet late", () => {
    const lap = driven(0, 100).map((one, i) => ({ ...one, current: 88_000 + Math.round((i * 1000) / 60) }))
    const next = driven(100, 60, { lap: 2, last: 89_660 }).map((one, i) => ({
      ...one,
      current: 6 + Math.round((i * 1000) / 60)
    }))
    const [exact] = reported([...lap, ...next], "C")
    expect(exact).toMatchObject({ lapTime: 89.66 })
    expect(exact!.end).toBeCloseTo(100 + 100 / 60 - 0.006, 6)
    const stale = [{ ...next[0]!, current: 89_670 }, ...next.slice(1)]
    expect(reported([...lap, ...stale], "C")[0]!.end).toBeCloseTo(100 + 100 / 60, 6)
  })

  it("end under the flag, with the car driven on by the game, whether it counts on or not", () => {
    const counted = driven(5410, 600, { lap: 2, last: 90_008, flags: 0 })
    const late = counted.map((one, i) => (i < 20 ? { ...one, last: -1 } : one))
    const notCounted = counted.map((one) => ({ ...one, lap: 1 }))
    const onTrack = notCounted.map((one) => ({ ...one, flags: ON_TRACK }))
    for (const after of [counted, late, notCounted, onTrack]) {
      expect(reported([...before, ...after])).toMatchObject([lap1])
    }
    expect(onlySession([...before, ...counted]).batch.length).toBe(5410)
  })

  it("come after the drive to the start, if the car drives there", () => {
    const { lapNumber, laps } = onlySession([
      ...driven(0, 300, { lap: 0 }),
      ...driven(300, 5400),
      ...driven(5700, 60, { lap: 2, last: 90_008 })
    ])
    expect(lapNumber[0]).toBeNaN()
    expect(laps.map((lap) => [lap.lapNumber, lap.lapTime, lap.valid])).toEqual([
      [1, 90.008, true],
      [2, null, false]
    ])
  })
})

describe("sessions", () => {
  const before = driven(0, 600, { lap: 2 })

  it("begin with the first packet of driving: no menus, replays, loading or pauses", () => {
    const replay = driven(0, 60, { lap: -1, flags: 0 })
    expect(tags([...replay, ...driven(60, 60, { flags: ON_TRACK | LOADING })])).toEqual([])
    expect(tags(driven(0, 60, { flags: ON_TRACK | PAUSED }))).toEqual([])
    expect(tags([...replay, ...driven(60, 60)])).toEqual(["SessionStarted"])
  })

  it("end in a menu or at a restart, and the next drive is another", () => {
    const ends = ["SessionStarted", "SessionEnded"]
    expect(tags([...before, ...driven(600, 60, { lap: -1, flags: 0 })])).toEqual(ends)
    expect(tags([...before, ...driven(600, 60, { lap: 0, flags: LOADING })])).toEqual(ends)
    const again = ["SessionStarted", "SessionStarted"]
    expect(tags([...before, ...driven(600, 60, { lap: 0 })])).toEqual(again)
    expect(tags([...before, ...driven(600, 60, { lap: 1 })])).toEqual(again)
    const menu = driven(600, 60, { lap: -1, flags: 0 })
    expect(tags([...before, ...menu, ...driven(660, 60)])).toEqual([...ends, "SessionStarted"])
  })

  it("go on through a pause, whatever the count is there", () => {
    const pause = driven(600, 60, { lap: -1, flags: PAUSED })
    expect(tags([...before, ...pause, ...driven(660, 60, { lap: 2 })])).toEqual(["SessionStarted"])
  })

  it("begin with another car", () => {
    const sessions = recorded(eventsOfPackets([...before, ...driven(600, 60, { lap: 2, car: 7 })]))
    expect(sessions.map(({ vehicle }) => vehicle)).toEqual(["GT7 car 3582", "GT7 car 7"])
  })

  it("have no vehicle's name if a ninth gear stands in the code's place", () => {
    expect(onlySession(driven(0, 5, { car: 0x3f80_0000 })).vehicle).toBe("")
  })
})

/** Packets of a lap of a replay, in which the car is not driven. */
const shown = (lap: number) => driven(6000 * lap, 600, { flags: 0, x: 1, lap })

describe("replays, if the user asks for them", () => {
  it("are recorded with their laps, as drives are", () => {
    const events = eventsOfPackets(
      [...shown(1), ...driven(6600, 60, { flags: 0, x: 1, lap: 2, last: 10_000 })],
      "A",
      true
    )
    expect(recorded(events)[0]!.reported.map(({ lapTime }) => lapTime)).toEqual([10])
    expect(recorded(events)[0]!.batch.length).toBe(660)
  })

  it("are not a pause, a game that loads, or a menu, which has no car anywhere", () => {
    for (const sent of [
      { flags: PAUSED, x: 1 },
      { flags: LOADING, x: 1 },
      { flags: 0, x: 0, speed: 0 }
    ]) {
      expect(eventsOfPackets(driven(0, 60, sent), "A", true)).toEqual([])
    }
  })

  it("are not recorded unless the user asks for them", () => {
    expect(eventsOfPackets(shown(1))).toEqual([])
  })
})
