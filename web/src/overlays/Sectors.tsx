import { useEffect, useRef } from "preact/hooks"
import { showSectors } from "../draw/sectors.ts"
import { lapTime, NOTHING } from "../format.ts"
import { flawOf, lastOf } from "../laps.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** The sectors of the current lap as they end, the last lap's until its first has ended, each against the session's best. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (drive !== undefined) return showSectors(holder.current!, drive)
  }, [drive])
  const last = lastOf(drive?.laps.value ?? [])
  return (
    <Plate drive={drive} idle={options.idle} name="sectors">
      <div class="sector-row" ref={holder} />
      <div class="sector whole">
        <span>Lap {last?.lap_number ?? NOTHING}</span>
        <b>{lapTime(last?.lap_time)}</b>
        <span>{(last && flawOf(last)) ?? "to the best of each"}</span>
      </div>
    </Plate>
  )
}
