/**
 * The gauges: small SVGs whose moving parts are looked up once. Each frame moves the parts that the compositor can move; each
 * beat sets the arc and the texts. Nothing is rendered again.
 */
import { useRef } from "preact/hooks"
import { fixed, gearName, percents, speed as speedText } from "../format.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import { eachBeat, eachFrame, ending } from "../live/frames.ts"
import type { LivePoint } from "../live/Ring.ts"
import { speedUnit } from "../settings.ts"
import { READABLE_HZ, write } from "./write.ts"

/** The dial's arc: three quarters of a circle of radius 80, open below. */
const RADIUS = 80
const ARC = 1.5 * Math.PI * RADIUS
const arcPath = `M ${100 - RADIUS * Math.SQRT1_2} ${100 + RADIUS * Math.SQRT1_2} A ${RADIUS} ${RADIUS} 0 1 1 ${100 + RADIUS * Math.SQRT1_2} ${100 + RADIUS * Math.SQRT1_2}`
/** The browser repaints the arc with each change, unlike the parts that the compositor moves. */
const DIAL_HZ = 20
/** Share of the revolutions at which drivers begin to think of shifting. */
const SHIFT = 0.92

/** Sets an attribute if it differs. */
const set = (element: Element | null, name: string, value: string) => {
  if (element !== null && element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** A gauge without reported values is pale: at rest it would look like a released pedal, or a wheel held straight. */
const setAbsent = (element: Element | null, value: number) =>
  set(element, "data-absent", String(Number.isNaN(value)))

/** The least end of the dial. */
const MIN_TOP_RPM = 4000

/** The dial of revolutions with speed and gear in it. */
export const useDial = () => {
  const arc = useRef<SVGPathElement>(null)
  const speed = useRef<SVGTextElement>(null)
  const gear = useRef<SVGTextElement>(null)
  const rpm = useRef<SVGTextElement>(null)
  /** `isKnown`: whether the engine is known to end at `topRpm`; until then the arc is pale and marks no shift. */
  const move = (point: Readonly<LivePoint>, topRpm: number, isKnown: boolean) => {
    const share = topRpm > 0 ? Math.min(1, Math.max(0, (point.rpm || 0) / topRpm)) : 0
    // In whole steps, of which the arc has 377: smaller changes are not painted.
    set(arc.current, "stroke-dashoffset", (ARC * (1 - share)).toFixed(0))
    set(arc.current, "data-shift", String(isKnown && share > SHIFT))
    set(arc.current, "data-unknown", String(!isKnown))
  }
  const say = (point: Readonly<LivePoint>) => {
    write(speed.current, speedText(point.speed))
    write(gear.current, gearName(point.gear))
    write(rpm.current, `${fixed(Math.round(point.rpm / 10) * 10)} rpm`)
  }
  const dial = (
    <svg class="dial" viewBox="0 0 200 190" role="img" aria-label="Speed, gear and engine revolutions">
      <path class="dial-back" d={arcPath} />
      <path
        class="dial-value"
        d={arcPath}
        ref={arc}
        stroke-dasharray={`${ARC.toFixed(1)} ${(2 * ARC).toFixed(1)}`}
        stroke-dashoffset={ARC.toFixed(1)}
      />
      <text class="dial-gear" x="100" y="96" ref={gear}>
        –
      </text>
      <text class="dial-speed" x="100" y="132" ref={speed}>
        –
      </text>
      <text class="dial-unit" x="100" y="149">
        {speedUnit.value}
      </text>
      <text class="dial-unit" x="100" y="178" ref={rpm}>
        – rpm
      </text>
    </svg>
  )
  return { dial, move, say }
}

/** Throttle and brake as bars. */
export const usePedals = () => {
  const throttle = useRef<HTMLElement>(null)
  const brake = useRef<HTMLElement>(null)
  const throttleText = useRef<HTMLElement>(null)
  const brakeText = useRef<HTMLElement>(null)
  const move = (point: Readonly<LivePoint>) => {
    throttle.current?.style.setProperty("transform", `scaleY(${(point.throttle || 0).toFixed(3)})`)
    brake.current?.style.setProperty("transform", `scaleY(${(point.brake || 0).toFixed(3)})`)
  }
  const say = (point: Readonly<LivePoint>) => {
    write(throttleText.current, percents(point.throttle))
    write(brakeText.current, percents(point.brake))
    setAbsent(throttle.current?.parentElement ?? null, point.throttle)
    setAbsent(brake.current?.parentElement ?? null, point.brake)
  }
  const pedals = (
    <div class="pedals">
      <div class="pedal brake">
        <div class="well">
          <i ref={brake} />
        </div>
        <span>
          Brake <b ref={brakeText}>–</b>
        </span>
      </div>
      <div class="pedal throttle">
        <div class="well">
          <i ref={throttle} />
        </div>
        <span>
          Throttle <b ref={throttleText}>–</b>
        </span>
      </div>
    </div>
  )
  return { pedals, move, say }
}

/** Half a turn of the drawn wheel to each side: full lock. */
const LOCK_DEGREES = 180
/** Share of the remaining turn for each frame: steering values arrive less often than frames. */
const FOLLOWS = 0.3

/** The steering wheel; `NaN` is not known. */
export const useWheel = () => {
  const wheel = useRef<SVGSVGElement>(null)
  const text = useRef<HTMLElement>(null)
  const shown = useRef(0)
  const move = ({ steering }: Readonly<LivePoint>) => {
    shown.current = Number.isFinite(steering) ? shown.current + FOLLOWS * (steering - shown.current) : 0
    // Whole degrees, less than a pixel at the rim.
    const turned = `rotate(${(shown.current * LOCK_DEGREES).toFixed(0)}deg)`
    if (wheel.current !== null && wheel.current.style.transform !== turned) {
      wheel.current.style.transform = turned
    }
  }
  const say = ({ steering }: Readonly<LivePoint>) => {
    const side = Math.abs(steering) < 0.005 ? "" : steering > 0 ? " R" : " L"
    setAbsent(wheel.current, steering)
    write(text.current, Number.isFinite(steering) ? `${Math.round(Math.abs(steering) * 100)} %${side}` : "–")
  }
  const drawing = (
    <div class="wheel">
      <svg viewBox="0 0 100 100" role="img" aria-label="Steering" ref={wheel}>
        <circle cx="50" cy="50" r="42" />
        <path d="M8 52 H36 M64 52 H92 M50 64 V92" />
        <circle class="hub" cx="50" cy="52" r="13" />
        <path class="mark" d="M50 3 V14" />
      </svg>
      <span ref={text}>–</span>
    </div>
  )
  return { wheel: drawing, move, say }
}

interface Gauge {
  readonly move: (point: Readonly<LivePoint>) => void
  readonly say: (point: Readonly<LivePoint>) => void
}

/** Shows a drive on a dial and other gauges until the returned function is called. */
export const showDrive = (
  drive: LiveSession,
  dial: Pick<ReturnType<typeof useDial>, "move" | "say">,
  others: ReadonlyArray<Gauge>
): (() => void) => {
  const { feed } = drive
  return ending([
    eachFrame(() => {
      if (feed.points > 0) for (const gauge of others) gauge.move(feed.point)
    }),
    eachBeat(DIAL_HZ, () => {
      if (feed.points === 0) return
      const top = drive.topRpm
      dial.move(feed.point, Math.max(MIN_TOP_RPM, top || feed.topRpm), !Number.isNaN(top))
    }),
    eachBeat(READABLE_HZ, () => {
      if (feed.points > 0) for (const gauge of [dial, ...others]) gauge.say(feed.point)
    })
  ])
}
