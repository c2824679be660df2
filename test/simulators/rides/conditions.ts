/** The conditions of a ride, by a seed. Faults happen mostly around the moments that matter: the line, a restart, a pause. */
import type { Faults } from "../../../simulator/emulators/faults.ts"
import { SimulatedDrive } from "../../../simulator/model/SimulatedDrive.ts"
import { uniform } from "../../../simulator/model/random.ts"
import { framesOptions } from "../drivers/emulating.ts"
import type { Kind } from "../drivers/suite/kind.ts"
import type { Burst, Conditions, Stall } from "./ride.ts"

const NONE: Faults = { loss: 0, reorder: 0, duplicate: 0, garbage: 0 }
/** As in the black-box test; and worse than any network. */
const BAD: Faults = { loss: 0.02, reorder: 0.02, duplicate: 0.01, garbage: 0.01 }
const WORST: Faults = { loss: 0.15, reorder: 0.1, duplicate: 0.1, garbage: 0.05 }

/** s of game time. */
const UNTIL_S = 170

class Dice {
  readonly #seed: number
  #place = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  share(): number {
    return uniform(this.#seed, 9, this.#place++)
  }

  between(from: number, to: number): number {
    return from + this.share() * (to - from)
  }

  /** Short lengths are as frequent as long ones. */
  lengthBetween(from: number, to: number): number {
    return from * (to / from) ** this.share()
  }

  one<A>(...of: ReadonlyArray<A>): A {
    return of[Math.floor(this.share() * of.length)]!
  }
}

/** Moments of the drive, s of game time since the emulator started. */
const moments = (seed: number, restarts: ReadonlyArray<number>, paused: number): ReadonlyArray<number> => {
  const { circuit, vehicle } = framesOptions()
  const begins = [0, ...restarts]
  const lines = begins.flatMap((begin, session) => {
    const drive = new SimulatedDrive({ circuit, vehicle, seed: seed + session })
    return [1, 2, 3, 4].flatMap((lap) => {
      const at = begin + drive.lap(lap).end
      return [at, at + paused]
    })
  })
  return [...lines, ...restarts].filter((at) => at < UNTIL_S)
}

/** The stalls in order, without those that overlap an earlier one. */
const apart = (stalls: Array<Stall>): ReadonlyArray<Stall> => {
  let free = 0
  return stalls
    .sort((a, b) => a.at - b.at)
    .filter(({ at, seconds }) => {
      const fits = at > free
      if (fits) free = at + seconds + 0.01
      return fits
    })
}

export const conditionsOf = (seed: number, { clockless }: Kind): Conditions => {
  const dice = new Dice(seed)
  const faster = dice.one(1, 4)
  // Arrivals are the only clock of these games.
  const speed = clockless ? 1 : faster
  const anywhere = dice.one([], [120], [dice.between(20, 150)], [dice.between(20, 70), dice.between(80, 150)])
  // A restart just before the line would look like a car that drives over it, because only positions show laps.
  const restarts = clockless ? dice.one([], [120], [60, 120]) : anywhere
  const pauses = dice.one(
    [],
    [{ at: 70, seconds: 3 }],
    [{ at: dice.between(5, 150), seconds: dice.lengthBetween(0.2, 8) }]
  )
  const frames = { seed: 7 + Math.floor(dice.between(0, 4)), rate: dice.one(60, 60, 20), restarts, pauses }
  const paused = pauses.reduce((sum, { seconds }) => sum + seconds, 0)
  const where = moments(frames.seed, restarts, paused)
  const when = (length: number) =>
    dice.share() < 0.6
      ? Math.max(0, dice.one(...where) / speed + dice.between(-1.2 * length - 0.3, 0.3))
      : dice.between(0, UNTIL_S / speed)
  const stalled = (most: number): Array<Stall> =>
    Array.from({ length: Math.floor(dice.between(0, most + 1)) }, () => {
      const long = dice.share() < 0.2 ? dice.lengthBetween(14, 80) : dice.lengthBetween(2, 14)
      const seconds = dice.one(dice.lengthBetween(0.02, 0.5), dice.lengthBetween(0.3, 3), long)
      return { at: when(seconds), seconds }
    })
  const serviceStalls = stalled(6)
  const gameStalls = stalled(2)
  // A machine that is held up stalls the game and the service.
  for (const { at, seconds } of serviceStalls) {
    if (dice.share() < 0.3)
      gameStalls.push({ at: at + dice.between(-0.2, 0.2), seconds: seconds * dice.between(0.3, 1.1) })
  }
  const bursts: ReadonlyArray<Burst> = Array.from({ length: Math.floor(dice.between(0, 4)) }, () => ({
    at: when(0.5),
    datagrams: Math.floor(dice.lengthBetween(3, 600))
  }))
  return {
    seed,
    speed,
    connectAt: dice.one(0.1, dice.between(0, 10)),
    faults: dice.one(NONE, BAD, BAD, WORST),
    frames,
    gameStalls: apart(gameStalls),
    serviceStalls: apart(serviceStalls),
    bursts: [...bursts].sort((a, b) => a.at - b.at),
    room: Math.floor(dice.lengthBetween(60, 6000)),
    streamFirst: dice.share() < 0.5,
    until: UNTIL_S
  }
}
