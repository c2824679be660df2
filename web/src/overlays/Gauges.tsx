import { useEffect, useRef } from "preact/hooks"
import { showDrive, useDial, usePedals } from "../draw/gauges.tsx"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** Size of the dial's small print, in units of its drawing, which is 200 wide. */
const SMALL_PRINT = 14
const DRAWN_WIDTH = 200
/** Beyond these sizes the dial's texts would overlap or vanish. */
const LEAST_TEXT = 0.5
const MOST_TEXT = 1.25

/** Revolutions, speed, gear and pedals. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const dial = useDial()
  const pedals = usePedals()
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (drive !== undefined) return showDrive(drive, dial, [pedals])
  }, [drive])
  useEffect(() => {
    const { fontSize, scale } = options
    const room = holder.current!
    const size = new ResizeObserver(() => {
      const across = room.querySelector("svg")?.clientWidth ?? 0
      const usual = (SMALL_PRINT * across) / DRAWN_WIDTH
      const wanted = fontSize === undefined || usual === 0 ? scale : (scale * fontSize) / usual
      const text = Math.min(MOST_TEXT, Math.max(LEAST_TEXT, wanted))
      room.style.setProperty("--dial-text", text.toFixed(3))
    })
    size.observe(room)
    return () => size.disconnect()
  }, [])
  return (
    <Plate drive={drive} idle={options.idle} name="gauges">
      <div class="dial-room" ref={holder}>
        {dial.dial}
      </div>
      {pedals.pedals}
    </Plate>
  )
}
