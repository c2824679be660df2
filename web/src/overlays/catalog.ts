/**
 * The overlays: their names, their designed sizes, wide and tall, and the channels that they request. Plain data, because the
 * service reads it too: it makes their paths of it (src/api/pages/pagePaths.ts). `components.ts` finds the components by name.
 */
import { fuelChannels, STEERING, tyreChannels } from "../live/channels.ts"

/** Pixels in a picture of 1920 x 1080 or 1080 x 1920. */
export type Size = readonly [width: number, height: number]

export interface Overlay {
  readonly name: string
  readonly title: string
  readonly wide: Size
  readonly tall: Size
  readonly channels?: ReadonlyArray<string>
}

export const overlays: ReadonlyArray<Overlay> = [
  { name: "gauges", title: "Gauges and pedals", wide: [480, 240], tall: [480, 560] },
  {
    name: "inputs",
    title: "Inputs with steering",
    wide: [760, 180],
    tall: [520, 480],
    channels: [STEERING]
  },
  { name: "pedals", title: "Pedal trace", wide: [480, 140], tall: [900, 200] },
  {
    name: "revs",
    title: "Rev lights",
    wide: [600, 100],
    tall: [900, 140],
    channels: ["engine_speed_fraction", "rpm_max"]
  },
  {
    name: "forces",
    title: "G-meter",
    wide: [280, 300],
    tall: [360, 420],
    channels: ["g_lateral", "g_longitudinal"]
  },
  { name: "delta", title: "Delta bar", wide: [560, 130], tall: [900, 190] },
  { name: "timer", title: "Lap timer with delta", wide: [460, 180], tall: [700, 280] },
  { name: "sectors", title: "Sector times", wide: [560, 120], tall: [420, 520] },
  { name: "laps", title: "Lap-time ticker", wide: [900, 90], tall: [420, 520] },
  { name: "map", title: "Track map", wide: [400, 320], tall: [600, 700] },
  { name: "tyres", title: "Tyres", wide: [380, 300], tall: [520, 420], channels: tyreChannels },
  { name: "fuel", title: "Fuel", wide: [340, 200], tall: [520, 300], channels: fuelChannels },
  { name: "versus", title: "Head to head", wide: [760, 240], tall: [620, 700] },
  { name: "board", title: "Best-laps board", wide: [420, 340], tall: [620, 700] }
]

export const overlayNamed = (name: string): Overlay | undefined =>
  overlays.find((overlay) => overlay.name === name)

/** The channels of all these overlays together. */
export const channelsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.flatMap((name) => overlayNamed(name)?.channels ?? []))
]
