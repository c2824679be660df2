/** The chequered flag, under which the counter stays, and flashbacks. */
import { describe, expect, it } from "vitest"
import { column, falls, eventsOf, story } from "../suite/events.ts"
import { driveTo, onLap2, s1, S1, s2, S2 } from "./driving.ts"
import { type Game, laps } from "./packets.ts"

const seconds = (value: number) => expect.closeTo(value, 6)
const around = (value: number) => expect.closeTo(value, 1)

/** The session's clock goes back; the game's own frames are counted on. */
const flashback = (game: Game, by: number, lap: object = {}) => {
  game.frame -= by * 60
  game.time -= by
  const clock = Number(game.lap["currentLapTimeInMS"]) - by * 1000
  game.lap = { ...game.lap, currentLapTimeInMS: clock, ...lap }
}

describe("the last lap", () => {
  it("ends under the chequered flag even if the counter stays", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    const end = game.time + 0.003
    game.tick({ lastLapTimeInMS: 97_003, resultStatus: 3 })
    game.drive(0.1)
    game.event("SEND")
    expect(story(game.events).slice(-3)).toEqual(["LapCompleted", 7, "SessionEnded"])
    expect(laps(game.events)).toEqual([
      expect.objectContaining({
        lapNumber: 2,
        lapTime: 97.003,
        sectors: [S1, S2, seconds(1.503)],
        end: around(end)
      })
    ])
  })

  it.each([
    ["before its time", [{ resultStatus: 3 }, { lastLapTimeInMS: 97_003 }]],
    ["after its time", [{ lastLapTimeInMS: 97_003 }, { resultStatus: 3 }]]
  ] as const)("ends once, whether the result comes %s or not", (_, [first, second]) => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.tick(first)
    game.tick(second)
    game.drive(4)
    game.event("SEND")
    expect(laps(game.events)).toEqual([expect.objectContaining({ lapNumber: 2, lapTime: 97.003 })])
  })

  it("has its numbers from a history without a session's id after the flag", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.tick({ resultStatus: 3 })
    const { uid } = game
    game.uid = 0
    game.history(2, { lapTimeInMS: 97_003, sector3TimeMSPart: 1_502, lapValidBitFlags: 1 })
    game.uid = uid
    expect(laps(game.events)).toEqual([
      expect.objectContaining({ lapTime: 97.003, sectors: [null, null, 1.502], valid: true })
    ])
  })
})

describe("a flashback", () => {
  it.each([0.5, 8])("of %f s goes on in time, and the lap with the game's", (by) => {
    const game = onLap2()
    driveTo(game, 60_000)
    flashback(game, by)
    game.tick()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.drive(2)
    expect(falls(column(game.events, "timestamp"))).toBe(0)
    expect(laps(game.events)).toEqual([expect.objectContaining({ lapTime: 97.003 })])
    const { end, start } = laps(game.events)[0]!
    expect(end! - start!).toBeCloseTo(97.003 + by, 0)
    expect(eventsOf(game.events, "Discarded")).toEqual([])
  })

  it("over the line, after the lap was reported, takes the lap back", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.drive(3)
    const ended = laps(game.events)[0]!
    expect(ended).toMatchObject({ lapNumber: 2, lapTime: 97.003 })
    flashback(game, 6, { currentLapNum: 2, currentLapTimeInMS: 94_000, lastLapTimeInMS: 0 })
    game.tick()
    driveTo(game, 98_000)
    game.cross(98_500)
    game.drive(3)
    const changes = eventsOf(game.events, "LapChanged")
    expect(changes.map(({ change, ref }) => [ref, change])).toEqual([
      [ended.ref, { valid: false, withdrawn: true }]
    ])
    expect(laps(game.events).map(({ lapNumber, lapTime }) => [lapNumber, lapTime])).toEqual([
      [2, 97.003],
      [2, 98.5]
    ])
  })

  it.each([
    ["from the pits to before them: it counts", 5, true],
    ["within the pits: it does not", 0.5, false]
  ])("%s", (_, by, valid) => {
    const game = onLap2()
    driveTo(game, 90_000)
    game.drive(2, { pitStatus: 1 })
    flashback(game, by, { pitStatus: 0 })
    game.tick()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.drive(2)
    expect(laps(game.events)).toEqual([expect.objectContaining({ lapTime: 97.003, valid })])
  })

  it.each([
    ["into the pits of the lap before: it does not count", 2, false],
    ["over the line to before the pits: it counts", 8, true]
  ])("%s", (_, by, valid) => {
    const game = onLap2()
    driveTo(game, 93_000)
    game.drive(4, { pitStatus: 1 })
    game.cross(97_003)
    game.drive(1)
    flashback(game, by, {
      currentLapNum: 2,
      lastLapTimeInMS: 88_100,
      currentLapTimeInMS: 98_000 - by * 1000,
      pitStatus: 0,
      ...s1,
      ...s2
    })
    game.drive(3)
    game.cross(96_500, { pitStatus: 0 })
    game.drive(2)
    expect(laps(game.events)).toEqual([expect.objectContaining({ lapNumber: 2, lapTime: 96.5, valid })])
  })

  it("makes the history before it useless", () => {
    const game = onLap2()
    driveTo(game, 97_000)
    game.cross(97_003)
    game.history(2, { lapTimeInMS: 97_003, lapValidBitFlags: 1 })
    flashback(game, 5, { currentLapNum: 2, lastLapTimeInMS: 88_100, currentLapTimeInMS: 92_000 })
    game.drive(4)
    game.cross(88_100)
    game.drive(0.1)
    game.tick({ lastLapTimeInMS: 96_017 })
    game.drive(2)
    expect(laps(game.events).map(({ lapTime }) => lapTime)).toEqual([97.003, 96.017])
  })
})
