import { useEffect, useRef } from "preact/hooks"
import { gearName } from "../format.ts"
import { READABLE_HZ, write } from "../draw/write.ts"
import { eachBeat, ending } from "../live/frames.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { NotReported } from "./parts/NotReported.tsx"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

const LIGHTS = 12
/** Lights of each colour, from the first one. */
const colours = (light: number) => (light < 5 ? "low" : light < 9 ? "middle" : "high")
/** For simulators without lights: shares of the highest revolutions at which the first light and all lights are lit. */
const FIRST = 0.7
const LAST = 0.97
const LIGHTS_HZ = 20

/** Share of the lights that are lit, 0 to 1; NaN while the engine's highest revolutions are unknown. */
const lit = ({ feed, reference, topRpm }: LiveSession): number => {
  const { point, values } = feed
  const reported = values["engine_speed_fraction"]
  if (reported !== undefined && !Number.isNaN(reported)) return reported
  const most = values["rpm_max"] ?? Number.NaN
  const driven = reference.peek()?.topRpm ?? 0
  // Some simulators report the end of the dial. Revolutions that a whole lap has not reached are not those to shift at.
  const isReached = driven === 0 || topRpm >= LAST * most
  const share = point.rpm / (most > 0 && isReached ? most : topRpm)
  return (share - FIRST) / (LAST - FIRST)
}

/** Shift lights: the simulator's own, or computed from the revolutions. */
export const Overlay = ({ options }: { options: Options }) => {
  const drive = useLiveSession(wantedOf(options))
  const lights = useRef<HTMLDivElement>(null)
  const gear = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    // Kept in a variable, because a beat may still come while the overlay is unmounted.
    const row = lights.current!
    return ending([
      eachBeat(LIGHTS_HZ, () => {
        const share = lit(drive)
        const count = Math.round(LIGHTS * Math.min(1, Math.max(0, share || 0)))
        const text = `${count}`
        const absent = String(Number.isNaN(share))
        if (row.dataset["absent"] !== absent) row.dataset["absent"] = absent
        if (row.dataset["lit"] === text) return
        row.dataset["lit"] = text
        row.classList.toggle("all", count === LIGHTS)
        for (const [k, light] of [...row.children].entries()) light.classList.toggle("on", k < count)
      }),
      eachBeat(READABLE_HZ, () => write(gear.current, gearName(drive.feed.point.gear)))
    ])
  }, [drive])
  // The simulator reports neither revolutions nor lights.
  const isDark =
    drive?.feed.absent.value.includes("rpm") === true &&
    !drive.feed.reported.value.includes("engine_speed_fraction")
  return (
    <Plate drive={drive} idle={options.idle} name="revs">
      {isDark && <NotReported drive={drive} what="revolutions" />}
      <div class="lights" ref={lights} role="img" aria-label="Rev lights" hidden={isDark}>
        {Array.from({ length: LIGHTS }, (_, k) => (
          <i key={k} class={colours(k)} />
        ))}
      </div>
      <span class="revs-gear" ref={gear}>
        –
      </span>
    </Plate>
  )
}
