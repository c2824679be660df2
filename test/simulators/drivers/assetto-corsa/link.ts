/** A link to Assetto Corsa without a socket, and packets for it. */
import type { LinkOptions } from "../../../../src/simulators/Driver.ts"
import { encodeAnswer, encodeCarInfo } from "../../../../simulator/emulators/assetto-corsa/encode.ts"
import { AssettoCorsaInterpreter } from "../../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { linkTo } from "../suite/link.ts"

export const names = { carName: "abarth500", driverName: "Ana", trackName: "monza", trackConfig: "" }
export const answer = () => encodeAnswer(names)

/** The values of a car in tests; other fields have the names of the table. */
interface CarValues {
  readonly speed: number
  readonly isInPit: boolean
  readonly rpm: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly [field: string]: number | boolean
}

/** A car info; `lapTime` in ms. */
export const car = (lapCount: number, lapTime: number, more: Partial<CarValues> = {}): Buffer => {
  const { isInPit, rpm, speed, x, y, z, ...rest } = {
    speed: 100,
    isInPit: false,
    rpm: 5000,
    x: lapTime,
    y: 0,
    z: 0,
    lapTime,
    lapCount,
    gas: 1,
    gear: 3,
    ...more
  }
  const fields = {
    speedKmh: speed,
    speedMs: Number(speed) / 3.6,
    isInPit: Number(isInPit),
    engineRPM: rpm,
    carCoordinatesX: x,
    carCoordinatesY: y,
    carCoordinatesZ: z,
    ...rest
  }
  return encodeCarInfo(fields as FieldValues, lapTime)
}

/** Car infos of a lap, every 20 ms, up to and without `to`, ms. */
export const drive = (
  lapCount: number,
  from: number,
  to: number,
  more: Partial<CarValues> = {}
): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil((to - from) / 20) }, (_, n) => car(lapCount, from + 20 * n, more))

/** Datagrams arrive 20 ms apart, from 100 s on. */
export const link = (options: LinkOptions["options"] = {}) => {
  const sent: Array<Uint8Array> = []
  const conversation = opened(
    new AssettoCorsaInterpreter(linkOptions({ options })),
    (bytes) => void sent.push(bytes)
  )
  return { conversation, sent, ...linkTo(conversation, 0.02) }
}
