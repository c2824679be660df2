import { useEffect, useMemo, useRef } from "preact/hooks"
import { followCar } from "../draw/followCar.ts"
import type { Car, MapLook, TrackMap } from "../draw/TrackMap.ts"
import { TrackView } from "../draw/TrackView.tsx"
import { useLiveSession } from "../live/useLiveSession.ts"
import { useSessions } from "../live/useSessionNames.ts"
import { isReported } from "../names.ts"
import { colour } from "../theme.ts"
import { useConnected } from "./connected.ts"
import { type Options, wantedOf } from "./options.ts"
import { Plate } from "./parts/Plate.tsx"

const looks = {
  dark: { line: "#e8edf4", edge: "rgb(8 12 18 / 85%)", text: "#ffffff" },
  light: { line: "#2a3544", edge: "rgb(255 255 255 / 85%)", text: "#131a24" }
}

const RADIUS = 9
/** A longer name is abbreviated in the mark of another car: `Robin Vale` is `RV`. */
const INITIALS = 3

const letters = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Cuts no character in two, such as an emoji of several code units. */
const firstLetter = (part: string): string =>
  letters.segment(part)[Symbol.iterator]().next().value?.segment ?? ""

/** Empty if no driver is reported. */
const initials = (driver: string) =>
  (isReported(driver) ? driver : "")
    .normalize("NFC")
    .split(/[\s-]+/)
    .map((part) => firstLetter(part).toUpperCase())
    .slice(0, INITIALS)
    .join("")

/** The car on the circuit, or all connected cars. Only the line is drawn, so that it fits over any picture. */
export const Overlay = ({ options }: { options: Options }) => {
  const { accent, everyone, scale, theme } = options
  const drive = useLiveSession(wantedOf(options))
  const map = useRef<TrackMap>(undefined)
  const reference = drive?.reference.value
  const own = drive?.session.value
  const sessions = useSessions(useConnected(everyone) ?? [])
  const rivals = [...sessions.values()].filter(
    ({ circuit, id }) => everyone && own !== undefined && id !== own.id && circuit === own.circuit
  )
  const line = useMemo(
    () => (reference === undefined ? undefined : { x: reference.x, y: reference.y, closed: true }),
    [reference]
  )
  const key = [own, ...rivals].map((of) => `${of?.id} ${of?.driver}`).join()
  useEffect(() => {
    if (drive === undefined) return
    const fill = colour("lap-4")
    const others = (): ReadonlyArray<Car> =>
      rivals.flatMap(({ driver, id }) => {
        const other = drive.feed.others.get(id)
        if (other === undefined || performance.now() - other.arrived > drive.feed.staleAfter) return []
        if (Number.isNaN(other.x + other.y)) return []
        return [{ x: other.x, y: other.y, fill, radius: RADIUS * scale, label: initials(driver) }]
      })
    return followCar(
      drive,
      map.current!,
      {
        fill: accent ?? colour("loss"),
        radius: RADIUS * scale,
        label: everyone ? initials(own?.driver ?? "") : undefined
      },
      others
    )
  }, [drive, reference, key])
  const look = (): MapLook => ({ ...looks[theme], width: 5 * scale, font: 12 * scale })
  return (
    <Plate drive={drive} idle={options.idle} name="track">
      <TrackView
        line={line}
        ready={(made) => (map.current = made)}
        look={look}
        label={everyone ? "The cars on the track" : "The car on the track"}
      />
    </Plate>
  )
}
