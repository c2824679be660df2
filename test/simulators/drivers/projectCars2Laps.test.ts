/** Project CARS 2: single cases of laps. */
import { describe, expect, it } from "vitest"
import { type Game, playing } from "./projectCars2Packets.ts"
import { recorded } from "./recorded.ts"

const laps = (game: Game) =>
  recorded(game.events).map(({ told }) =>
    told.map(({ lapNumber, lapTime, sectors, valid }) => [lapNumber, lapTime, sectors, valid])
  )
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
        // The second sector's stats did not come: it is what is left.
        [1, 33.015, [10.003, 11.007, 12.005], true],
        [2, 33.25, [10.004, 11.146, 12.1], true]
      ]
    ])
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

  it("do not count when invalid, through the pits or joined", () => {
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
      expect(laps(game).map((told) => told.map(([number, time]) => [number, time]))).toEqual([[[1, 33.015]]])
    }
  })
})
