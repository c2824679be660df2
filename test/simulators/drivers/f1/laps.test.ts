/** Laps: their times, sectors and validity. */
import { describe, expect, it } from "vitest"
import { eventsOf, story } from "../suite/events.ts"
import { driveTo, onLap2, S1, S2 } from "./driving.ts"
import { Game, laps } from "./packets.ts"
import { lapDistancesOf, lapNumbersOf } from "../../lapColumns.ts"

const seconds = (value: number) => expect.closeTo(value, 6)
const around = (value: number) => expect.closeTo(value, 1)

describe("a lap of F1", () => {
  it("has its sectors and its validity from the history", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.cross(97_003)
    expect(laps(game.events)).toEqual([])
    game.drive(0.4)
    const end = game.time - Number(game.lap["currentLapTimeInMS"]) / 1000
    game.history(2, {
      lapTimeInMS: 97_003,
      sector1TimeMSPart: 30_000,
      sector2TimeMSPart: 5_500,
      sector2TimeMinutesPart: 1,
      sector3TimeMSPart: 1_501,
      lapValidBitFlags: 0x0f
    })
    game.drive(3)
    expect(laps(game.events)).toEqual([
      expect.objectContaining({
        lapNumber: 2,
        lapTime: 97.003,
        // 2 ms less than the difference.
        sectors: [S1, S2, 1.501],
        valid: true,
        end: around(end),
        start: around(end - 97.003)
      })
    ])
  })

  it("has sectors and validity from LapData if no history comes in time", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.drive(1.9)
    expect(laps(game.events)).toEqual([])
    game.drive(0.2)
    expect(laps(game.events)).toEqual([
      expect.objectContaining({
        lapNumber: 2,
        lapTime: 97.003,
        sectors: [S1, S2, seconds(1.503)],
        valid: true
      })
    ])
    // It comes late, and corrects the lap once.
    for (let n = 0; n < 2; n++) {
      game.history(2, { lapTimeInMS: 97_003, sector3TimeMSPart: 1502, lapValidBitFlags: 0 })
    }
    const [lap] = laps(game.events)
    expect(eventsOf(game.events, "LapChanged").map(({ change, ref }) => [ref, change])).toEqual([
      [lap?.ref, { lapTime: 97.003, sectors: [null, null, 1.502], valid: false }]
    ])
  })

  it.each([
    ["was shown as invalid just before its end", { currentLapInvalid: 1 }, undefined],
    ["is invalid by the history", {}, 0],
    ["leads out of the pits", { driverStatus: 3 }, 0x0f],
    ["leads into the pits by the driver's status", { driverStatus: 2 }, 0x0f]
  ])("does not count if it %s", (_, shown, lapValidBitFlags) => {
    const game = onLap2()
    driveTo(game, 97_000, shown)
    game.cross(97_003, { driverStatus: 1 })
    if (lapValidBitFlags === undefined) game.drive(2)
    else game.history(2, { lapTimeInMS: 97_003, lapValidBitFlags })
    const sectors = lapValidBitFlags === undefined ? [S1, S2, seconds(1.503)] : [null, null, null]
    expect(laps(game.events)).toEqual([expect.objectContaining({ lapTime: 97.003, sectors, valid: false })])
  })

  it("does not take another car's history for its own", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.player = 3
    game.history(2, { lapTimeInMS: 97_003 }, { playerCarIndex: 19 })
    game.player = 19
    expect(laps(game.events)).toEqual([])
  })

  it("into the pits, through them, and out of them does not count, whatever the history reports", () => {
    const game = onLap2()
    driveTo(game, 90_000)
    for (const [number, pitStatus] of [
      [2, 1],
      [3, 2]
    ] as const) {
      game.drive(1, { pitStatus })
      game.cross(97_003)
      game.history(number, { lapTimeInMS: 97_003, lapValidBitFlags: 0x0f })
      game.drive(1, { pitStatus })
      driveTo(game, 90_000, { pitStatus: 0 })
    }
    for (const number of [4, 5]) {
      game.cross(97_003)
      game.history(number, { lapTimeInMS: 97_003, lapValidBitFlags: 0x0f })
      driveTo(game, 90_000)
    }
    expect(laps(game.events).map(({ lapNumber, valid }) => [lapNumber, valid])).toEqual([
      [2, false],
      [3, false],
      [4, false],
      [5, true]
    ])
  })

  it.each([
    [
      "before the line",
      [{ currentLapNum: 3 }, {}, { lastLapTimeInMS: 97_003, currentLapTimeInMS: 30, sector1TimeMSPart: 0 }]
    ],
    ["after the line", [{ lastLapTimeInMS: 97_003, currentLapTimeInMS: 14 }, {}, { currentLapNum: 3 }]],
    [
      "after it with the time",
      [{ currentLapTimeInMS: 14 }, {}, { currentLapNum: 3, lastLapTimeInMS: 97_003 }]
    ]
  ])("is one lap if the counter moves some frames %s", (_, steps) => {
    const game = onLap2()
    driveTo(game, 97_000)
    const end = game.time
    for (const step of steps) game.tick(step)
    game.drive(1)
    expect(laps(game.events)).toEqual([])
    game.drive(1)
    expect(laps(game.events)).toEqual([
      expect.objectContaining({
        lapNumber: 2,
        lapTime: 97.003,
        sectors: [S1, S2, seconds(1.503)],
        end: around(end)
      })
    ])
    driveTo(game, 80_000, { sector1TimeMSPart: 20_000 })
    game.cross(80_004)
    game.drive(2)
    expect(laps(game.events)).toHaveLength(2)
    // The rest for the third sector is no possible time.
    expect(laps(game.events)[1]).toMatchObject({ lapNumber: 3, lapTime: 80.004, sectors: [20, S2, null] })
    expect(laps(game.events)[1]!.start).toBeCloseTo(laps(game.events)[0]!.end!, 2)
  })

  it("does not include the drive to the start, nor the time in the garage", () => {
    for (const [before, clock] of [
      [{ lapDistance: -200, driverStatus: 4 }, 0],
      [{ lapDistance: 20, driverStatus: 0 }, 0]
    ] as const) {
      const game = new Game()
      game.names()
      for (let n = 0; n < 300; n++) game.tick({ ...before, currentLapNum: 1, currentLapTimeInMS: clock })
      const line = game.time
      game.tick({ lapDistance: 1, driverStatus: 4, currentLapTimeInMS: 0 })
      const [way] = eventsOf(game.events, "Points")
      expect(lapDistancesOf(way!)[0]).toBe(before.lapDistance < 0 ? Number.NaN : 20)
      expect(eventsOf(game.events, "Points").flatMap(lapNumbersOf).slice(1)).toEqual(
        Array.from({ length: 300 }, () => Number.NaN)
      )
      driveTo(game, 97_000)
      game.cross(97_003)
      game.drive(2)
      expect(laps(game.events)).toEqual([
        expect.objectContaining({ lapNumber: 1, lapTime: 97.003, start: around(line) })
      ])
    }
  })

  it("counts if the pits were before its first line", () => {
    const game = new Game()
    game.names()
    game.drive(3, { currentLapTimeInMS: 10, lapDistance: -50, pitStatus: 1 })
    driveTo(game, 97_000, { lapDistance: 10, pitStatus: 0 })
    game.cross(97_003)
    game.drive(2)
    expect(laps(game.events)).toEqual([
      expect.objectContaining({ lapNumber: 1, lapTime: 97.003, valid: true })
    ])
  })

  it("is left if the car is put into the garage", () => {
    const game = onLap2()
    game.drive(0.1)
    game.drive(0.1, { driverStatus: 0 })
    expect(eventsOf(game.events, "Points").flatMap(lapNumbersOf)).toEqual(
      Array.from({ length: 12 }, (_, n) => (n < 6 ? 2 : Number.NaN))
    )
    driveTo(game, 97_000)
    game.cross(97_003)
    game.drive(2)
    expect(laps(game.events)).toEqual([])
  })

  it("is known from the history if its packets at the line were lost", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    const end = game.time
    game.advance(120)
    game.lap = {
      ...game.lap,
      currentLapNum: 3,
      currentLapTimeInMS: 2_000,
      lastLapTimeInMS: 97_003,
      sector1TimeMSPart: 0
    }
    game.history(2, { lapTimeInMS: 97_003, lapValidBitFlags: 1 })
    game.tick()
    expect(laps(game.events)).toEqual([
      expect.objectContaining({ lapNumber: 2, lapTime: 97.003, end: around(end) })
    ])
  })

  it.each([
    ["its time, while it waits for the history", (game: Game) => game.cross(97_003)],
    ["the history alone", (game: Game) => game.history(2, { lapTimeInMS: 97_003, lapValidBitFlags: 1 })]
  ])(
    "that ended belongs to its session by %s, though a restart follows that no packet reports",
    (_, ends) => {
      const game = onLap2()
      driveTo(game, 97_000)
      ends(game)
      game.uid = 8
      game.time = 0.1
      game.frame = game.overall = 6
      game.lap = { currentLapNum: 1, driverStatus: 4, resultStatus: 2, currentLapTimeInMS: 50 }
      game.names()
      game.drive(0.1)
      expect(story(game.events).slice(-3)).toEqual(["LapCompleted", "SessionStarted", 6])
      expect(laps(game.events)).toEqual([
        expect.objectContaining({ lapNumber: 2, lapTime: 97.003, valid: true })
      ])
    }
  )
})
