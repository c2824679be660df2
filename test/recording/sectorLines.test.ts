/** Sectors that no simulator reports: the same place of the road for every lap, whatever line was driven. */
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { SectorLines } from "../../src/domain/SectorLines.ts"
import type { LapCut, LapMessage } from "../../src/recording/laps/laps.ts"
import { LapTracker } from "../../src/recording/laps/LapTracker.ts"
import { noFacts, only, type Row, track } from "./driving.ts"

const HZ = 50
const LAP_S = 60

/** A lap's own line: so many metres outside of the circle in each third, and its pace there. */
interface Lap {
  readonly wide: readonly [number, number, number]
  readonly pace: readonly [number, number, number]
}

const even: Lap = { wide: [0, 0, 0], pace: [1, 1, 1] }

/** The seconds in which a lap drives a third of the circle. */
const third = ({ pace }: Lap, s: number) => LAP_S / 3 / pace[s]!
const sectors = (lap: Lap) => [third(lap, 0), third(lap, 1), third(lap, 2)]

/** Laps of a circle of this radius about the origin, by lap numbers; positions are declared unless `blind`. */
const drive = (laps: ReadonlyArray<Lap>, radius = 300, blind = false): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const starts = laps.reduce<Array<number>>(
    (all, lap) => [...all, all.at(-1)! + sectors(lap).reduce((a, b) => a + b, 0)],
    [1000]
  )
  const end = starts.at(-1)!
  for (let i = 0; 1000 + i / HZ < end + 0.2; i++) {
    const time = 1000 + i / HZ
    const number = Math.max(
      0,
      starts.findLastIndex((start) => start <= time)
    )
    const lap = laps[number] ?? even
    let since = time - starts[number]!
    let s = 0
    while (s < 2 && since >= third(lap, s)) since -= third(lap, s++)
    const share = Math.min(1, since / third(lap, s))
    const angle = ((s + share) / 3) * 2 * Math.PI
    // Out and back within the third, as smoothly as a car drives.
    const out = radius + (lap.wide[s]! * (1 - Math.cos(2 * Math.PI * share))) / 2
    const across = (lap.wide[s]! * Math.PI * Math.sin(2 * Math.PI * share)) / third(lap, s)
    const along = (out * 2 * Math.PI) / 3 / third(lap, s)
    rows.push({
      timestamp: time,
      speed: 3.6 * Math.hypot(along, across),
      lap_number: number + 1,
      lap_distance: 0,
      position_x: out * Math.cos(angle),
      position_y: out * Math.sin(angle)
    })
  }
  return blind ? only(rows as ReadonlyArray<Required<Row>>, "lap_number", "lap_distance") : rows
}

const timed = (cuts: ReadonlyArray<LapCut>) => cuts.filter(({ valid }) => valid)
const cut = (
  laps: ReadonlyArray<Lap>,
  layouts: ReadonlyArray<SectorLines> = [],
  radius?: number,
  blind?: boolean
) => timed(track(new LapTracker(noFacts, undefined, layouts), [drive(laps, radius, blind)]))
const times = ({ sector1Time, sector2Time, sector3Time }: LapCut) => [
  sector1Time!,
  sector2Time!,
  sector3Time!
]
const off = (declared: LapCut, lap: Lap) =>
  Math.max(...times(declared).map((time, s) => Math.abs(time - third(lap, s))))

const share = fc.double({ min: 0, max: 1, noNaN: true })
const someLap: fc.Arbitrary<Lap> = fc
  .tuple(share, share, share, share, share, share)
  .map(([a, b, c, d, e, f]) => ({
    wide: [25 * a, 25 * b, 25 * c],
    pace: [0.9 + 0.2 * d, 0.9 + 0.2 * e, 0.9 + 0.2 * f]
  }))

describe("sectors that the service cuts", () => {
  // Guards against a wide line that moves the sectors, by as much as half a second.
  it("lie at the same place of the road for every lap, whatever line it drove", () => {
    fc.assert(
      fc.property(fc.array(someLap, { minLength: 1, maxLength: 4 }), (laps) => {
        const cuts = cut([even, ...laps])
        expect(cuts).toHaveLength(laps.length + 1)
        cuts.forEach((declared, l) => {
          expect(declared.sectorSource).toBe("derived")
          expect(off(declared, l === 0 ? even : laps[l - 1]!)).toBeLessThan(0.05)
        })
        expect(cuts.map(({ sectorLines }) => sectorLines !== undefined)).toEqual([
          true,
          ...laps.map(() => false)
        ])
      }),
      { numRuns: 15 }
    )
  })

  it("are the same in the sessions that follow", () => {
    const wide: Lap = { wide: [25, 0, 0], pace: [1, 1, 1] }
    const layouts = [cut([even])[0]!.sectorLines!]
    const [lap] = cut([wide], layouts)
    expect(lap!.sectorLines).toBeUndefined()
    expect(off(lap!, wide)).toBeLessThan(0.05)
    // By its own distance the wide line would move them.
    expect(off(cut([wide])[0]!, wide)).toBeGreaterThan(0.1)
  })

  it("have lines of their own on another layout", () => {
    const first = cut([even])[0]!.sectorLines!
    const [small, again] = cut([even, even], [first], 150)
    expect(small!.sectorLines!.length).toBeLessThan(first.length / 1.9)
    expect(again!.sectorLines).toBeUndefined()
    expect(cut([even], [small!.sectorLines!, first])[0]!.sectorLines).toBeUndefined()
  })

  it("are a share of the distance if there are no positions, and create no lines", () => {
    const [lap] = cut([even], [], 300, true)
    expect(lap!.sectorSource).toBe("derived")
    expect(lap!.sectorLines).toBeUndefined()
    expect(off(lap!, even)).toBeLessThan(0.1)
  })

  it("are those of a driver that cuts them, with none added", () => {
    const message = { lapNumber: 1, lapTime: LAP_S, valid: true, start: 1000, end: 1000 + LAP_S }
    const sectors = (declared: LapMessage["sectors"], sectorSource?: "derived") => {
      const tracker = new LapTracker({ ...noFacts, tellsLaps: true })
      const [lap] = track(tracker, [drive([even]), { ...message, sectors: declared, sectorSource }])
      return [times(lap!), lap!.sectorSource]
    }
    const near = expect.closeTo(20, 1)
    expect(sectors([null, null, null])).toEqual([[near, near, near], "derived"])
    expect(sectors([null, null, null], "derived")).toEqual([[null, null, null], null])
    expect(sectors([21, 22, 17], "derived")).toEqual([[21, 22, 17], "derived"])
  })

  it("are the simulator's if it reports them, and nobody's if they cannot be cut", () => {
    const message = {
      lapNumber: 1,
      lapTime: 60,
      sectors: [20, 21, 19] as const,
      valid: true,
      start: 1000,
      end: 1060
    }
    expect(new LapTracker(noFacts).message(message)[0]!.sectorSource).toBe("simulator")
    const [withoutSectors] = new LapTracker(noFacts).message({ ...message, sectors: [null, null, null] })
    expect(withoutSectors!.sectorSource).toBe(null)
  })
})
