/** Drives the laps of a game. */
import { Game } from "./packets.ts"

/** LapData's fields of the current lap's sectors; below, their times in s. */
export const s1 = { sector1TimeMSPart: 30_000 }
export const s2 = { sector2TimeMSPart: 5_500, sector2TimeMinutesPart: 1 }
export const S1 = 30
export const S2 = 65.5

/** A game in its second lap, whose clock is at 0.005 s. */
export const onLap2 = (more: object = {}) => {
  const game = new Game()
  game.names()
  game.tick({ currentLapNum: 1, currentLapTimeInMS: 88_000, ...more })
  game.cross(88_100)
  game.drive(2)
  game.events.length = 0
  return game
}

/** Drives the current lap to `ms` of its clock, with its sectors shown. */
export const driveTo = (game: Game, ms: number, lap: object = {}) => {
  const already = Number(game.lap["currentLapTimeInMS"])
  // Most of the lap in one leap, which the session's clock makes too.
  const leap = Math.round(((ms - already) / 1000 - 2) * 60)
  game.advance(leap)
  game.drive((ms - Number(game.lap["currentLapTimeInMS"])) / 1000, { ...s1, ...s2, ...lap })
}
