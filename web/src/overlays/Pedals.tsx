import { useEffect, useRef } from "preact/hooks"
import { eachFrame } from "../live/frames.ts"
import type { Column, Ring } from "../live/Ring.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { colour } from "../theme.ts"
import type { Options } from "./options.ts"
import { Plate } from "./Plate.tsx"

const WINDOW_S = 8
const LINE = 3

const trace = (
  context: CanvasRenderingContext2D,
  ring: Ring,
  column: Column,
  stroke: string,
  width: number,
  height: number
) => {
  const last = ring.at("timestamp", ring.length - 1)
  context.beginPath()
  for (let k = ring.from(last - WINDOW_S); k < ring.length; k++) {
    const x = width * (1 - (last - ring.at("timestamp", k)) / WINDOW_S)
    context.lineTo(x, LINE + (height - 2 * LINE) * (1 - ring.at(column, k)))
  }
  context.strokeStyle = stroke
  context.lineWidth = LINE
  context.lineJoin = "round"
  context.stroke()
}

/** The last seconds of throttle and brake. */
export const Pedals = ({ options }: { options: Options }) => {
  const drive = useLiveSession(options.sessionId, options.rate, false)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    const shown = canvas.current!
    const throttle = colour("throttle")
    const brake = colour("brake")
    let seen = 0
    return eachFrame(() => {
      const { points, ring } = drive.feed
      if (points === seen) return
      seen = points
      const ratio = window.devicePixelRatio
      const width = shown.clientWidth
      const height = shown.clientHeight
      // Also clears it.
      shown.width = Math.round(width * ratio)
      shown.height = Math.round(height * ratio)
      const context = shown.getContext("2d")!
      context.scale(ratio, ratio)
      trace(context, ring, "throttle", throttle, width, height)
      trace(context, ring, "brake", brake, width, height)
    })
  }, [drive])
  return (
    <Plate drive={drive} name="pedal-trace">
      <canvas ref={canvas} role="img" aria-label={`Throttle and brake of the last ${WINDOW_S} seconds`} />
    </Plate>
  )
}
