import { useEffect } from "preact/hooks"
import { showDrive, useDial, usePedals } from "../draw/gauges.tsx"
import { useLiveSession } from "../live/useLiveSession.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

/** Revolutions, speed, gear and pedals. */
export const Gauges = ({ options }: { options: Options }) => {
  const drive = useLiveSession(options.sessionId, options.rate, false)
  const dial = useDial(options.units)
  const pedals = usePedals()
  useEffect(() => {
    if (drive !== undefined) return showDrive(drive, dial, [pedals])
  }, [drive])
  return (
    <Plate drive={drive} name="gauges">
      {dial.dial}
      {pedals.pedals}
    </Plate>
  )
}
