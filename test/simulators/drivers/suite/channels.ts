/** The channels in a driver's events as columns, and compared with the emulator's drive. */
import type { Channel } from "../../../../src/domain/pointChannels.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { namedChannel } from "../../../../src/domain/vocabulary.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { driveGroups } from "../../../../simulator/model/channelGroups.ts"
import { isSamples } from "../../rows.ts"
import { BEGIN_S } from "./drive.ts"
import type { Expected, Value } from "./kind.ts"

/** A channel's rows: s, and its values. */
export interface Column {
  readonly times: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** The rows of every channel beyond points, by its name. */
export const channelsIn = (events: ReadonlyArray<SimulatorEvent>): ReadonlyMap<string, Column> => {
  const found = new Map<string, { readonly times: Array<number>; readonly values: Array<number> }>()
  for (const { batch } of events.filter(isSamples)) {
    for (const name of batch.channels.slice(1)) {
      const { times, values } = found.get(name) ?? { times: [], values: [] }
      times.push(...batch.timestamps)
      values.push(...batch.column(name))
      found.set(name, { times, values })
    }
  }
  return found
}

const ofTheDrive = new Set(driveGroups.flatMap(({ channels }) => channels.map(({ name }) => name)))

/** A point's channels by the frame. */
export const driven: Readonly<Partial<Record<Channel, (frame: Frame) => number>>> = {
  speed: ({ speed }) => speed,
  rpm: ({ rpm }) => rpm,
  gear: ({ gear }) => gear,
  throttle: ({ throttle }) => throttle,
  brake: ({ brake }) => brake,
  steering: ({ steering }) => steering,
  position_x: ({ x }) => x,
  position_y: ({ y }) => y,
  position_z: ({ z }) => z
}

/** The share of rows that may be wrong: a game reports some values a few packets late. */
const LATE = 0.01
/** The share of rows without a value, if the driver learns a sign from the car's path. */
const LEARNING = 0.3

const withoutWheel = (name: string) => name.replace(/_[fr][lr]$/, "")

/**
 * A sentence for each channel of which too many rows differ from the drive: from `values`, `driven`, or the drive's channel of that
 * name. The drive is one without pauses.
 */
export const wrongRows = (
  columns: ReadonlyMap<string, Column>,
  frames: ReadonlyArray<Frame>,
  rate: number,
  { begin = BEGIN_S, learned = [], values: others = {}, within = {} }: Expected,
  driven: Readonly<Record<string, Value>> = {}
): ReadonlyArray<string> =>
  [...columns].flatMap(([name, { times, values }]) => {
    const plain = withoutWheel(name)
    const value = others[name] ?? others[plain] ?? driven[name]
    if (value === undefined && !ofTheDrive.has(name)) return [`${name}: the drive has no such channel`]
    const isAngle = namedChannel(name)?.channel.kind === "angle"
    let [off, absent, rows] = [0, 0, 0]
    let example = ""
    for (const [i, seen] of values.entries()) {
      const n = Math.round((times[i]! - begin) * rate)
      const frame = frames[n]
      if (frame === undefined || frame.finished) continue
      rows++
      const right =
        value === undefined
          ? frame.carValue(name)
          : value === "absent"
            ? Number.NaN
            : value(frame, frames[n - 1])
      if (Number.isNaN(seen) && Number.isNaN(right)) continue
      if (Number.isNaN(seen)) {
        absent++
        continue
      }
      const wrong = isAngle ? Math.abs(((seen - right + 540) % 360) - 180) : Math.abs(seen - right)
      if (wrong <= (within[name] ?? within[plain] ?? 0.001 * (1 + Math.abs(right)))) continue
      off++
      example ||= `${name} at ${times[i]}: ${seen}, driven ${right}`
    }
    const isLearned = learned.includes(name) || learned.includes(plain)
    return off > rows * LATE || absent > rows * (isLearned ? LEARNING : LATE) || rows === 0
      ? [`${name}: ${off} of ${rows} rows are off, ${absent} absent; ${example}`]
      : []
  })
