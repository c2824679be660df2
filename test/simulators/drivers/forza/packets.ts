/** Packets of Forza Motorsport (2023) made by hand, and the events and laps that they give. */
import { expect } from "vitest"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { protocol } from "../../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { interpret, linkOptions } from "../interpreting.ts"
import { eventsOf, recorded } from "../suite/events.ts"

export interface Values {
  readonly on: number
  /** TimestampMS. */
  readonly stamp: number
  readonly car: number
  readonly track: number
  readonly speed: number
  readonly distance: number
  readonly last: number
  readonly current: number
  readonly race: number
  readonly lap: number
  readonly gear: number
  readonly steer: number
}

const standing: Values = {
  on: 1,
  stamp: 0,
  car: 2345,
  track: 21,
  speed: 50,
  distance: 0,
  last: 0,
  current: 0,
  race: 0,
  lap: 0,
  gear: 4,
  steer: 0
}

export const packet = (more: Partial<Values>): Buffer => {
  const values = { ...standing, ...more }
  const bytes = Buffer.alloc(331)
  bytes.writeInt32LE(values.on, 0)
  bytes.writeUInt32LE(values.stamp >>> 0, 4)
  bytes.writeInt32LE(values.car, 212)
  bytes.writeFloatLE(values.speed, 244)
  bytes.writeFloatLE(values.distance, 280)
  bytes.writeFloatLE(values.last, 288)
  bytes.writeFloatLE(values.current, 292)
  bytes.writeFloatLE(values.race, 296)
  bytes.writeUInt16LE(values.lap, 300)
  bytes.writeUInt8(values.gear, 307)
  bytes.writeInt8(values.steer, 308)
  bytes.writeInt32LE(values.track, 327)
  return bytes
}

/** A packet every `step` seconds of a stretch of driving, from `from` on; 50 m/s. */
export const driven = (
  seconds: number,
  from: Partial<Values> & { readonly race: number },
  step = 0.1
): ReadonlyArray<Partial<Values>> =>
  Array.from({ length: Math.round(seconds / step) }, (_, i) => ({
    ...from,
    stamp: (from.stamp ?? from.race * 1000) + i * step * 1000,
    race: from.race + i * step,
    current: (from.current ?? from.race) + i * step,
    distance: (from.distance ?? from.race * 50) + i * step * 50
  }))

export const eventsOfPackets = (
  packets: ReadonlyArray<Partial<Values>>,
  every = 0.1
): ReadonlyArray<SimulatorEvent> => interpret(protocol.interpreter(linkOptions()), packets.map(packet), every)

export const reported = (packets: ReadonlyArray<Partial<Values>>) =>
  eventsOf(eventsOfPackets(packets), "LapCompleted")
export const starts = (packets: ReadonlyArray<Partial<Values>>) =>
  eventsOf(eventsOfPackets(packets), "SessionStarted").length
export const onlySession = (packets: ReadonlyArray<Partial<Values>>) => {
  const sessions = recorded(eventsOfPackets(packets))
  expect(sessions).toHaveLength(1)
  return sessions[0]!
}

/** Free roam: a packet every 0.1 s, and no lap or race. */
export const roam = (seconds: number): ReadonlyArray<Partial<Values>> =>
  Array.from({ length: seconds * 10 }, (_, i) => ({ stamp: i * 100, distance: i * 5 }))
