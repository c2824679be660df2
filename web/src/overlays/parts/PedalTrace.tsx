/** The last seconds of throttle and brake, on a canvas, with their legend. */
import { useEffect, useRef } from "preact/hooks"
import { eachFrame } from "../../live/frames.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import type { Column, Ring } from "../../live/Ring.ts"
import { colour } from "../../theme.ts"

const WINDOW_S = 8
const LINE = 3

const trace = (
  context: CanvasRenderingContext2D,
  ring: Ring,
  column: Column,
  stroke: string,
  { height, line, width }: { readonly height: number; readonly line: number; readonly width: number }
) => {
  const last = ring.at("timestamp", ring.length - 1)
  context.beginPath()
  for (let k = ring.from(last - WINDOW_S); k < ring.length; k++) {
    const x = width * (1 - (last - ring.at("timestamp", k)) / WINDOW_S)
    context.lineTo(x, line + (height - 2 * line) * (1 - ring.at(column, k)))
  }
  context.strokeStyle = stroke
  context.lineWidth = line
  context.lineJoin = "round"
  context.stroke()
}

export const PedalTrace = ({ drive, scale }: { drive: LiveSession | undefined; scale: number }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  // OBS may load the overlay at each change of the scene: the trace must not begin empty.
  useEffect(() => drive?.wantPast(), [drive])
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
      const size = { width: shown.clientWidth, height: shown.clientHeight, line: LINE * scale }
      // This also clears the canvas.
      shown.width = Math.round(size.width * ratio)
      shown.height = Math.round(size.height * ratio)
      const context = shown.getContext("2d")!
      context.scale(ratio, ratio)
      trace(context, ring, "throttle", throttle, size)
      trace(context, ring, "brake", brake, size)
    })
  }, [drive, scale])
  return (
    <div class="pedal-trace">
      <div class="trace-room">
        <canvas ref={canvas} role="img" aria-label={`Throttle and brake of the last ${WINDOW_S} seconds`} />
      </div>
      <p class="trace-legend">
        <i class="swatch" style={{ "--swatch": "var(--throttle)" }} /> Throttle
        <i class="swatch" style={{ "--swatch": "var(--brake)" }} /> Brake
        <span>{WINDOW_S} s</span>
      </p>
    </div>
  )
}
