/** Which game's packet it is: only the length tells (forza-data-out.md, section 2). */
import { sled } from "./layout.ts"

export interface Format {
  readonly game: string
  /** How many bytes later than in `layout.dash` the dash part begins. */
  readonly shift: number
  /** The packet says which circuit it is. */
  readonly tracks: boolean
  /** The circuit of a game that has one world and no circuits' names. */
  readonly world: string
}

const horizon: Format = { game: "Forza Horizon", shift: 12, tracks: false, world: "Forza Horizon" }

const formats: ReadonlyMap<number, Format> = new Map([
  [311, { game: "Forza Motorsport 7", shift: 0, tracks: false, world: "" }],
  // Without the spare byte at the end, as some report.
  [323, horizon],
  [324, horizon],
  [331, { game: "Forza Motorsport", shift: 0, tracks: true, world: "" }]
])

const SLED_BYTES = 232

const isFlag = (value: number) => value === 0 || value === 1

export const formatOf = (bytes: Buffer): Format | undefined => {
  const format = formats.get(bytes.length)
  return format !== undefined && isFlag(sled.isRaceOn(bytes)) ? format : undefined
}

/** "Sled" has no position, inputs or laps. */
export const hintOf = (bytes: Buffer): string | undefined =>
  bytes.length === SLED_BYTES && isFlag(sled.isRaceOn(bytes))
    ? "the game sends the Sled format: switch its Data Out format to Dash"
    : undefined
