/** Events that a simulator may send, in short. */
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { lapBatch } from "../../src/domain/LapBatch.ts"
import { channels } from "../../src/domain/pointChannels.ts"
import { RowBatch } from "../../src/domain/RowBatch.ts"
import { SimulatorEvent } from "../../src/domain/SimulatorEvent.ts"
import { pointsAt } from "../live/support.ts"
import { POINTS } from "../../src/domain/Dictionary.ts"

type Started = Omit<Extract<SimulatorEvent, { readonly _tag: "SessionStarted" }>, "_tag">
type Lap = Omit<Extract<SimulatorEvent, { readonly _tag: "LapCompleted" }>, "_tag">

export const started = (more: Partial<Started> = {}) =>
  SimulatorEvent.SessionStarted({
    circuit: "Spa",
    vehicle: "GT3",
    driver: "Anna",
    datetime: undefined,
    clockZero: 1000,
    circuitLength: undefined,
    startLine: undefined,
    ...more
  })

/** A session that begins as a native feed states it. */
export const stated = (more: Partial<Started> = {}) => started({ clockDecides: true, ...more })

/** Points at these times of the feed's clock; a fresh batch each, since the recorder anchors it in place. */
export const points = (times: ReadonlyArray<number>, lapNumbers?: ReadonlyArray<number>, missing = 0) => {
  const batch = pointsAt(times)
  const lap = lapBatch(batch.timestamps, lapNumbers && Float64Array.from(lapNumbers), undefined)
  return SimulatorEvent.Rows({ group: POINTS, batch, declared: allChannels, lap, missing })
}

/** A point with one channel that is not finite. */
export const broken = (time: number) =>
  SimulatorEvent.Rows({
    group: POINTS,
    batch: new RowBatch(1, Float64Array.of(time, Number.NaN, 0, 0, 0, 0, 0, 0, 0, 0), channels),
    declared: allChannels,
    lap: undefined,
    missing: 0
  })

export const lap = (lapNumber: number | undefined, more: Partial<Lap> = {}) =>
  SimulatorEvent.LapCompleted({
    lapNumber,
    lapTime: null,
    sectors: [null, null, null],
    valid: undefined,
    start: undefined,
    end: undefined,
    ...more
  })

export const refused = (count = 0) => SimulatorEvent.Refused({ reason: "a test", points: count })

export const ended = SimulatorEvent.SessionEnded()

export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
