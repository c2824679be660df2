/** A link to Assetto Corsa without a socket, and packets for it. */
import type { SimulatorExtras } from "../../../src/domain/Connection.ts"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import {
  type CarInfoFields,
  encodeAnswer,
  encodeCarInfo
} from "../../../simulator/emulators/assetto-corsa/encode.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "./interpreting.ts"

export const names = { car: "abarth500", driver: "Ana", track: "monza", config: "" }
export const answer = () => encodeAnswer(names)

/** A car info; `lapTime` in ms. */
export const car = (lapCount: number, lapTime: number, more: Partial<CarInfoFields> = {}): Buffer =>
  encodeCarInfo(
    {
      speed: 100,
      isInPit: false,
      lapTime,
      lastLap: 0,
      bestLap: 0,
      lapCount,
      gas: 1,
      brake: 0,
      rpm: 5000,
      steer: 0,
      gear: 3,
      wheelSpeed: 1,
      wheelRadius: 1,
      position: 0,
      x: lapTime,
      y: 0,
      z: 0,
      ...more
    },
    lapTime
  )

/** Car infos of a lap, every 20 ms, up to and without `to`, ms. */
export const drive = (
  lapCount: number,
  from: number,
  to: number,
  more: Partial<CarInfoFields> = {}
): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil((to - from) / 20) }, (_, n) => car(lapCount, from + 20 * n, more))

/** Hears datagrams 20 ms apart, from 100 s on. */
export const link = (extras: SimulatorExtras = {}) => {
  const sent: Array<Uint8Array> = []
  const conversation = new AssettoCorsaInterpreter(linkOptions({ extras }), (bytes) => void sent.push(bytes))
  const events = new EventBuffer()
  let arrival = 100
  const hears = (datagrams: ReadonlyArray<Buffer>): ReadonlyArray<SimulatorEvent> =>
    datagrams.flatMap((bytes) => {
      conversation.datagram(bytes, arrival, events)
      arrival += 0.02
      return events.take()
    })
  return { conversation, sent, hears, wait: (seconds: number) => void (arrival += seconds) }
}
