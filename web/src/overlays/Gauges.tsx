import { useEffect } from "preact/hooks"
import { DIAL_HZ, useDial, usePedals } from "../draw/gauges.tsx"
import { eachBeat, eachFrame } from "../live/frames.ts"
import { useDrive } from "../live/useDrive.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

/** Before a lap has shown how far the engine turns. */
const LEAST_TOP_RPM = 4000

/** Revolutions, speed, gear and pedals. */
export const Gauges = ({ options }: { options: Options }) => {
  const drive = useDrive(options.sessionId, options.rate, false)
  const dial = useDial(options.units)
  const pedals = usePedals()
  useEffect(() => {
    if (drive === undefined) return
    let top = LEAST_TOP_RPM
    return eachBeat(DIAL_HZ, () => {
      const { point, points } = drive.feed
      if (points === 0) return
      top = Math.max(top, point.rpm, drive.reference.peek()?.topRpm ?? 0)
      dial.show(point, top)
    })
  }, [drive])
  useEffect(() => {
    if (drive === undefined) return
    let seen = 0
    return eachFrame(() => {
      const { point, points } = drive.feed
      if (points === seen) return
      seen = points
      pedals.show(point)
    })
  }, [drive])
  return (
    <Plate drive={drive} name="gauges">
      {dial.dial}
      {pedals.pedals}
    </Plate>
  )
}
