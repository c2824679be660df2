/**
 * Events that may happen to any game, each with the rule of timekeeping.md (section 2) that gives its outcome. A lap takes some
 * 45 s.
 */
import type { FramesOptions } from "../../../simulator/emulators/frames.ts"
import { some } from "../../support/runs.ts"
import { GAME_RATE } from "../drivers/emulating.ts"

export interface Scenario {
  readonly frames: Partial<FramesOptions>
  /** How often the game is started; once by default. */
  readonly lives?: number
  /** How long it is closed between two lives, s. */
  readonly closedFor?: number
  /** When nothing of UDP arrives, s since the game was started. */
  readonly lost?: ReadonlyArray<{ readonly from: number; readonly until: number }>
  /** How many points may be missing at most, or be more; any by default. */
  readonly points?: number
  /** The longest step from one point to the next, s; any by default, and where times are those of arrival. */
  readonly step?: number
  /** The datagrams of a frame that arrive. */
  readonly way?: (datagrams: ReadonlyArray<Buffer>, frame: number) => ReadonlyArray<Buffer>
}

const laps = 2
/** In the middle of the first lap, and of the second, s. */
const MIDWAY_S = 20
const LATER_S = 65
/** Longer than any link lives without a datagram, s. */
const LONG_S = 75
/** Just behind the end of the first lap, s. */
const LINE_S = 45.5
/** Rates as menus offer them, and a frame rate; a higher one costs more. */
const RATES = some([10, GAME_RATE, 144], 1)

/** One of the datagrams of the frame numbered `at` is one of an earlier frame instead. */
const replaced = (at: number, by: number, which: number) => {
  let other: ReadonlyArray<Buffer> = []
  return (datagrams: ReadonlyArray<Buffer>, frame: number) => {
    if (frame === by) other = datagrams
    return frame === at
      ? datagrams.map((one, n) => (n === which % datagrams.length ? (other[n] ?? one) : one))
      : datagrams
  }
}
/** Games that send a frame in several datagrams send up to so many with each. */
const IN_FRAME = some([0, 1, 2, 3], 1)

export const undisturbed: Scenario = { frames: { laps } }

/** The drive has the same sessions and laps, with their numbers, times and validity, as undisturbed. */
export const unchanging: ReadonlyArray<readonly [rule: string, scenario: () => Scenario]> = [
  [
    "1: a pause of 75 s",
    () => ({ frames: { laps, pauses: [{ at: MIDWAY_S, seconds: LONG_S }] }, points: 3, step: 0.31 })
  ],
  ...IN_FRAME.flatMap((n) => [
    [
      `2: datagram ${n} of a frame is one of the lap before`,
      () => ({ frames: { laps }, way: replaced(1300, 400, n), points: 3 })
    ] as const,
    [
      `2: datagram ${n} of a frame is one of earlier in the lap`,
      () => ({ frames: { laps }, way: replaced(700, 40, n), points: 3 })
    ] as const
  ]),
  [
    "6: what comes in half a second behind the line is lost",
    () => ({ frames: { laps }, lost: [{ from: LINE_S, until: LINE_S + 0.5 }] })
  ],
  [
    "8: each datagram comes twice",
    () => ({ frames: { laps }, way: (datagrams) => [...datagrams, ...datagrams], points: 0 })
  ],
  ...RATES.map((rate) => [`8: ${rate} frames a second`, () => ({ frames: { laps, rate } })] as const)
]

/** The drive has a session for each time that the game began one, with all laps that were driven to their end. */
export const beginning: ReadonlyArray<readonly [rule: string, scenario: Scenario]> = [
  [
    "1: closed in a lap, and started again after five minutes",
    { frames: { laps }, lives: 2, closedFor: 300 }
  ],
  ["3: the race is started again in its second lap", { frames: { laps, restarts: [LATER_S] } }]
]

/** Only the laps in which nothing came may lack their times. */
export const interrupted: ReadonlyArray<readonly [rule: string, scenario: Scenario]> = [
  [
    "1: nothing comes for 75 s, and the game goes on",
    { frames: { laps: 4 }, lost: [{ from: 50, until: 125 }] }
  ],
  ["5: connected in the first lap", { frames: { laps: 3 }, lost: [{ from: 0, until: MIDWAY_S }] }]
]

/** Rules that a game cannot show, and the reasons. */
export const cannot: Readonly<Record<string, ReadonlyArray<readonly [rule: string, why: string]>>> = {
  beamng: [
    ["1: closed", "its packets have no lap, no clock and no session: another drive is more of the same"],
    ["3:", "its first lap is the first from line to line, and both began on the way to it"]
  ],
  ...Object.fromEntries(
    ["dirt-rally", "dirt-rally-2", "ea-wrc", "richard-burns-rally"].map((game) => [
      game,
      [["1: closed", "another run of a stage is of the same session"]] as const
    ])
  )
}
