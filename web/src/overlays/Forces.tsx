import { useEffect, useRef } from "preact/hooks"
import { fixed, NOTHING } from "../format.ts"
import { READABLE_HZ, write } from "../draw/write.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

/** The outer of two rings, g; a car with larger forces gets a larger one. */
const USUAL_G = 2
const WIDER = [2, 3, 4, 6] as const
/** In units of the drawing, whose radius is 100. */
const RADIUS = 88
const TRAIL = 40

/** Acceleration of the car: to the right in a right-hand bend, up under power, down when braking. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const dot = useRef<SVGCircleElement>(null)
  const trail = useRef<SVGPolylineElement>(null)
  const text = useRef<HTMLElement>(null)
  const outer = useRef<SVGTextElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    const { feed } = drive
    // Kept in a variable, because a frame may still come while the overlay is unmounted.
    const [mark, way] = [dot.current!, trail.current!]
    let most = USUAL_G
    let across = Number.NaN
    let along = Number.NaN
    const points: Array<readonly [number, number]> = []
    const place = (value: number) => (value / most) * RADIUS
    return ending([
      feed.onPoint(() => {
        across = feed.values["g_lateral"] ?? Number.NaN
        along = feed.values["g_longitudinal"] ?? Number.NaN
        if (Number.isNaN(across + along)) return
        points.push([across, along])
        if (points.length > TRAIL) points.shift()
        const size = Math.hypot(across, along)
        most = Math.max(most, WIDER.find((ring) => ring >= size) ?? WIDER.at(-1)!)
      }),
      eachFrame(() => {
        const known = !Number.isNaN(across + along)
        mark.setAttribute("visibility", known ? "visible" : "hidden")
        if (!known) return
        mark.style.transform = `translate(${place(across).toFixed(1)}px, ${place(-along).toFixed(1)}px)`
        way.setAttribute(
          "points",
          points.map(([x, y]) => `${place(x).toFixed(1)},${place(-y).toFixed(1)}`).join(" ")
        )
      }),
      eachBeat(READABLE_HZ, () => {
        write(text.current, Number.isNaN(across + along) ? NOTHING : fixed(Math.hypot(across, along), 1))
        write(outer.current, `${most} g`)
      })
    ])
  }, [drive])
  const reported = drive?.feed.reported.value.includes("g_lateral") === true
  return (
    <Plate drive={drive} idle={options.idle} name="forces">
      <svg class="g-meter" viewBox="-100 -100 200 200" role="img" aria-label="Acceleration of the car">
        <circle class="g-ring" r={RADIUS} />
        <circle class="g-ring" r={RADIUS / 2} />
        <path class="g-ring" d={`M ${-RADIUS} 0 H ${RADIUS} M 0 ${-RADIUS} V ${RADIUS}`} />
        <text class="g-scale" x={RADIUS - 4} y="-6" text-anchor="end" ref={outer}>
          {`${USUAL_G} g`}
        </text>
        <polyline class="g-trail" ref={trail} />
        <circle class="g-dot" r="9" ref={dot} visibility="hidden" />
      </svg>
      <span class="g-text">
        <b ref={text}>{NOTHING}</b> g
        {drive !== undefined && drive.feed.points > 0 && !reported ? " not reported" : ""}
      </span>
    </Plate>
  )
}
