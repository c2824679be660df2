/** Project CARS 2: single cases of laps. */
import { describe, expect, it } from "vitest"
import { type Game, playing } from "./packets.ts"
import { recorded } from "../suite/events.ts"

const laps = (game: Game) =>
  recorded(game.events).map(({ reported }) =>
    reported.map(({ lapNumber, lapTime, sectors, valid }) => [lapNumber, lapTime, sectors, valid])
  )

/**
 * As a race at Brands Hatch began (mike4802/pcars2-udp2csv, data/20171230_163321_bh_win.csv, of the game's packets): on the grid, which is
 * behind the line, the time is -1, the lap 1 and the sector 3, at distance 0; 2.1 s after the start it is sector 1. At the next line, lap, time,
 * sector and distance change in the same packet.
 */
const started = (more: Parameters<Game["drive"]>[1] = {}) => {
  const game = playing({ sector: 3, ...more })
  for (let n = 0; n < 50; n++) game.drive(0.1, { time: -1, sectorTime: -1 })
  game.drive(2.1, { pitMode: 0, time: 0, sectorTime: 0 })
  game.drive(10, { sector: 1 })
  game.stats(-1, 12.103)
  game.drive(11, { sector: 2, sectorTime: 0 })
  game.stats(-1, 11.004)
  game.drive(12, { sector: 3, sectorTime: 0 })
  game.drive(0.1, { lap: 2, sector: 1, time: 0, sectorTime: 0 })
  game.stats(35.2, 12.093)
  game.drive(1)
  return game
}

describe("laps", () => {
  it("have the stats' times, and the clock's sectors only to find them", () => {
    const game = playing()
    game.lap()
    game.stats(33.015, 12.005)
    game.lap()
    game.stats(33.25, 12.1)
    game.drive(1)
    expect(laps(game)).toEqual([
      [
        // The second sector's stats did not come: it is the remaining time.
        [1, 33.015, [10.003, 11.007, 12.005], true],
        [2, 33.25, [10.004, 11.146, 12.1], true]
      ]
    ])
  })

  it("have their own sectors if the grid is in the last one, and begin with the start", () => {
    const game = started()
    expect(laps(game)).toEqual([[[1, 35.2, [12.103, 11.004, 12.093], true]]])
    const lap = recorded(game.events)[0]!.laps.find(({ lapTime }) => lapTime !== null)
    expect(lap!.endTime - lap!.startTime).toBeCloseTo(35.2, 1)
  })

  it("count if the clock starts at the line, also after the pits", () => {
    expect(laps(started({ pitMode: 3 }))[0]![0]).toEqual([1, 35.2, [12.103, 11.004, 12.093], true])
  })

  it("do not count if the clock starts in the pits", () => {
    const game = playing({ pitMode: 3, time: -1, sectorTime: -1 })
    game.drive(1, { pitMode: 3, time: -1, sectorTime: -1 })
    game.drive(5, { pitMode: 3, time: 0, sectorTime: 0 })
    game.drive(20, { pitMode: 0 })
    game.drive(0.1, { lap: 2, time: 0, sectorTime: 0 })
    game.stats(25, 9)
    game.drive(1)
    expect(laps(game)[0]![0]!.slice(0, 2)).toEqual([1, 25])
    expect(laps(game)[0]![0]![3]).toBe(false)
  })

  it("take a time that comes late, and none that was shown before", () => {
    const game = playing({ lap: 2 })
    game.stats(33.3, 9)
    game.lap()
    // Rivals cross meanwhile.
    game.stats(33.015, 11)
    game.drive(1)
    game.stats(33.5, 12.5)
    game.drive(1)
    expect(laps(game)).toEqual([[[2, 33.5, expect.anything(), true]]])
  })

  it("do not count if they are invalid, go through the pits or were joined", () => {
    const lap = (more: Parameters<Game["lap"]>[0], before: (game: Game) => void = () => undefined) => {
      const game = playing()
      before(game)
      game.lap(more)
      game.stats(33.015, 12)
      game.drive(1)
      return laps(game)[0]!.at(-1)![3]
    }
    expect(lap({})).toBe(true)
    expect(lap({ invalid: true })).toBe(false)
    expect(lap({ pitMode: 3 })).toBe(false)
    const joined = playing()
    joined.drive(20, { time: 13, sectorTime: 3, sector: 2 })
    joined.stats(33.015, 12)
    joined.drive(1, { lap: 2, time: 0, sectorTime: 0, sector: 1 })
    expect(laps(joined)).toEqual([[[1, 33.015, [null, null, 12], false]]])
  })

  it("end at the flag, whether or not the count goes on", () => {
    for (const lap of [1, 2]) {
      const game = playing()
      game.lap()
      game.drive(0.1, { raceState: 3, lap, time: -1, sectorTime: -1 })
      game.stats(33.015, 12.005)
      game.drive(3, { time: -1, sectorTime: -1 })
      game.drive(10, { lap: lap + 1, time: 0, sectorTime: 0 })
      expect(laps(game).map((reported) => reported.map(([number, time]) => [number, time]))).toEqual([
        [[1, 33.015]]
      ])
    }
  })
})
