/**
 * The sectors of a drive: those of the current lap as they end, and the last lap's until its first has ended; each against the best in the
 * session's valid laps.
 */
import { delta, deltaClass, lapTime, NOTHING } from "../format.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import { eachBeat } from "../live/frames.ts"
import { lastOf } from "../laps.ts"
import type { Lap } from "../types.ts"
import { write } from "./write.ts"

const SECTORS_HZ = 5

export const sectorNames = ["sector1_time", "sector2_time", "sector3_time"] as const
type SectorName = (typeof sectorNames)[number]

/** The best time of a sector in valid laps, without the lap `except`. */
export const bestSector = (laps: ReadonlyArray<Lap>, sector: SectorName, except?: Lap): number | null => {
  const times = laps.flatMap((lap) =>
    lap.valid && lap !== except && lap[sector] !== null ? [lap[sector]] : []
  )
  return times.length === 0 ? null : Math.min(...times)
}

export interface SectorNow {
  /** Seconds; null where not known. */
  readonly time: number | null
  /** Difference to the best in other laps, s. */
  readonly late: number | null
  /** It belongs to the current lap, not to the last one. */
  readonly now: boolean
  /** The number of the last lap, if the time is of it. */
  readonly lap: number | undefined
}

/** The three sectors at this moment. */
export const sectorsNow = ({
  clock,
  laps
}: Pick<LiveSession, "clock" | "laps">): ReadonlyArray<SectorNow> => {
  const driven = laps.peek()
  const last = lastOf(driven)
  // A sector that ended before the page joined has no time, but the last lap's would be mistaken for it.
  const begun = !Number.isNaN(clock.sectors[0]) || clock.sectorsOver > 0
  return sectorNames.map((name, k) => {
    const own = k < 2 ? clock.sectors[k as 0 | 1] : Number.NaN
    const now = !Number.isNaN(own)
    const time = now ? own : begun ? null : (last?.[name] ?? null)
    const best = bestSector(driven, name, now ? undefined : last)
    const late = time === null || best === null ? null : time - best
    return { time, late, now, lap: now || time === null ? undefined : last?.lap_number }
  })
}

export const sideOf = ({ late }: SectorNow) => deltaClass(late) || "none"

/** Keeps three boxes in `holder` until the returned function is called. `numbered`: with the number of the last lap. */
export const showSectors = (holder: HTMLElement, drive: LiveSession, numbered = false): (() => void) => {
  const boxes = sectorNames.map(() => {
    const box = holder.appendChild(document.createElement("div"))
    const name = box.appendChild(document.createElement("span"))
    const time = box.appendChild(document.createElement("b"))
    const late = box.appendChild(document.createElement("span"))
    return { box, name, time, late }
  })
  const show = () => {
    for (const [k, sector] of sectorsNow(drive).entries()) {
      const { box, late, name, time } = boxes[k]!
      const look = `sector ${sideOf(sector)}${sector.now ? " now" : ""}`
      if (box.className !== look) box.className = look
      write(name, `S${k + 1}${numbered && sector.lap !== undefined ? `, lap ${sector.lap}` : ""}`)
      write(time, sector.time === null ? NOTHING : lapTime(sector.time))
      write(late, sector.late === null ? NOTHING : delta(sector.late))
    }
  }
  show()
  const stop = eachBeat(SECTORS_HZ, show)
  return () => {
    stop()
    holder.replaceChildren()
  }
}
