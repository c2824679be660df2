import { useEffect, useRef } from "preact/hooks"
import { DELTA_DIGITS } from "../draw/deltaBar.ts"
import { READABLE_HZ, write } from "../draw/write.ts"
import { delta, deltaClass, gearName, lapTime, NOTHING, speed } from "../format.ts"
import { eachBeat, ending } from "../live/frames.ts"
import { LapClock } from "../live/LapClock.ts"
import { bestOf, lastOf } from "../laps.ts"
import type { LiveSession } from "../live/LiveSession.ts"
import { useLiveSession } from "../live/useLiveSession.ts"
import { useSessions } from "../live/useSessionNames.ts"
import { driverOf, reported } from "../names.ts"
import { speedUnit } from "../settings.ts"
import { useConnected } from "./connected.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

const Rig = ({ drive, side }: { drive: LiveSession | undefined; side: "first" | "second" }) => {
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (drive === undefined) return
    const [clock, pace, gear] = [...root.current!.querySelectorAll(".now b")]
    return eachBeat(READABLE_HZ, () => {
      if (drive.feed.points === 0) return
      const { elapsed } = drive.clock
      write(clock!, Number.isNaN(elapsed) ? NOTHING : lapTime(elapsed, 1))
      write(pace!, speed(drive.feed.point.speed))
      write(gear!, gearName(drive.feed.point.gear))
    })
  }, [drive])
  const laps = drive?.laps.value ?? []
  const session = drive?.session.value
  return (
    <div class={`rig ${side}`} ref={root}>
      <strong>{session === undefined ? NOTHING : driverOf(session)}</strong>
      <span class="rig-car">{session && reported(session.vehicle)}</span>
      <div class="now">
        <b class="rig-clock">{NOTHING}</b>
        <span>
          <b>{NOTHING}</b> {speedUnit.value}
        </span>
        <span>
          Gear <b>{NOTHING}</b>
        </span>
      </div>
      <div class="rig-laps">
        <span>
          Last <b>{lapTime(lastOf(laps)?.lap_time)}</b>
        </span>
        <span>
          Best <b>{lapTime(bestOf(laps)?.lap_time)}</b>
        </span>
      </div>
    </div>
  )
}

/**
 * Two rigs side by side. Both laps have one reference; the gap is how much more of its lap's time the second has used at the
 * same place, no matter when each lap began.
 */
export const Overlay = ({ options }: { options: Options }) => {
  const first = useLiveSession(wantedOf(options))
  const own = first?.feed.session.value
  const ids = useConnected(options.versus === undefined)
  const connected = useSessions(ids ?? [])
  const circuit = first?.session.value?.circuit
  const others = [...connected.values()].filter(({ id }) => id !== own)
  const rival = options.versus ?? others.find((other) => isSame(other.circuit, circuit))?.id
  return (
    <Plate drive={first} idle={options.idle} name="versus">
      <Rig drive={first} side="first" />
      {rival === undefined || first === undefined ? (
        <span class="not-reported">
          {ids === undefined || circuit === undefined || ids.some((id) => !connected.has(id))
            ? NOTHING
            : others.length > 0
              ? "The other rigs are on other circuits."
              : "No second rig is connected."}
        </span>
      ) : (
        <Rival key={rival} first={first} options={{ ...options, sessionId: rival, everyone: false }} />
      )}
    </Plate>
  )
}

const isSame = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one.toLowerCase() === other?.toLowerCase()

const Rival = ({ first, options }: { first: LiveSession; options: Options }) => {
  const second = useLiveSession(wantedOf(options))
  const gap = useRef<HTMLElement>(null)
  const reference = first.reference.value
  const circuits = [first.session.value?.circuit, second?.session.value?.circuit]
  const isElsewhere = !circuits.includes(undefined) && !isSame(circuits[0], circuits[1])
  useEffect(() => {
    if (second === undefined || isElsewhere) return
    // Kept in a variable, because a beat may still come while the overlay is unmounted.
    const text = gap.current!
    const clock = new LapClock()
    clock.follow(reference)
    if (!Number.isNaN(second.clock.began)) clock.beginAt(second.clock.began, second.clock.fromLine)
    return ending([
      second.feed.onPoint((point) => {
        if (Number.isNaN(clock.began) && !Number.isNaN(second.clock.began)) {
          clock.beginAt(second.clock.began, second.clock.fromLine)
        }
        clock.read(point)
      }),
      eachBeat(READABLE_HZ, () => {
        const behind = clock.delta - first.clock.delta
        write(text, delta(behind, DELTA_DIGITS))
        text.className = deltaClass(behind, DELTA_DIGITS) || "none"
      })
    ])
  }, [second, reference, isElsewhere])
  return (
    <>
      {isElsewhere ? (
        <span class="not-reported">On another circuit</span>
      ) : (
        <div class="gap" title="Above 0: the second is slower on this lap">
          <b class="none" ref={gap}>
            {NOTHING}
          </b>
          <span>on this lap</span>
        </div>
      )}
      <Rig drive={second} side="second" />
    </>
  )
}
