/** A link to Assetto Corsa Competizione without a socket, and messages for it. */
import {
  encodeCar,
  encodeEntry,
  encodeEntryList,
  encodeRegistrationResult,
  encodeTrack,
  encodeUpdate,
  type UpdateFields
} from "../../../../simulator/emulators/acc/encode.ts"
import { AccInterpreter } from "../../../../src/simulators/drivers/acc/AccInterpreter.ts"
import type { CarFields, LapFields } from "../../../../src/simulators/drivers/acc/layout.ts"
import type { LinkOptions } from "../../../../src/simulators/Driver.ts"
import { linkOptions, opened } from "../interpreting.ts"
import { linkTo } from "../suite/link.ts"

export const CONNECTION = 77
/** The car that is in focus. */
export const CAR = 1001

export const lap = (more: Partial<LapFields> = {}): LapFields => ({
  laptimeMs: null,
  carIndex: CAR,
  driverIndex: 0,
  splits: [],
  isInvalid: false,
  isValidForBest: true,
  isOutlap: false,
  isInlap: false,
  ...more
})

/** A lap of `lapTime` ms in three parts. */
export const timed = (lapTime: number, more: Partial<LapFields> = {}): LapFields =>
  lap({ laptimeMs: lapTime, splits: [1000, 1000, lapTime - 2000], ...more })

/** The session at `sessionTime`, ms. */
export const update = (sessionTime: number, more: Partial<UpdateFields> = {}): Buffer =>
  encodeUpdate({
    eventIndex: 0,
    sessionIndex: 0,
    sessionType: 10,
    phase: 5,
    sessionTime,
    sessionEndTime: 3_600_000,
    focusedCarIndex: CAR,
    timeOfDay: 43_200,
    ambientTemp: 24,
    trackTemp: 31,
    clouds: 3,
    rainLevel: 0,
    wetness: 0,
    bestSessionLap: lap(),
    ...more
  })

/** The car after `laps` laps, `lapTime` ms into the next. */
export const car = (laps: number, lapTime: number, more: Partial<CarFields> = {}): Buffer =>
  encodeCar({
    carIndex: CAR,
    driverIndex: 0,
    driverCount: 1,
    gear: 4,
    worldPosX: lapTime,
    worldPosY: 2 * lapTime,
    yaw: 0,
    carLocation: 1,
    kmh: 150,
    position: 1,
    cupPosition: 1,
    trackPosition: 1,
    splinePosition: 0.5,
    laps,
    delta: -1,
    bestSessionLap: lap(),
    lastLap: lap(),
    currentLap: lap({ laptimeMs: lapTime }),
    ...more
  })

export const entry = (carIndex: number, carModel = 32, last = "Driver"): Buffer =>
  encodeEntry({
    carIndex,
    carModelType: carModel,
    teamName: "Écurie",
    raceNumber: 1,
    drivers: [["Ana", last]]
  })

export const accepted = encodeRegistrationResult(CONNECTION, "")
export const track = encodeTrack(CONNECTION, "Monza", 5000)
/** The answers that a link gets at its begin. */
export const answers = [
  accepted,
  encodeEntryList(CONNECTION, [CAR, 1002]),
  entry(CAR),
  entry(1002, 30),
  track
]

/** Updates of session and car, every 20 ms of both clocks, of a lap from `from` up to and without `to`, ms. */
export const drive = (
  laps: number,
  from: number,
  to: number,
  begin: number,
  more: Partial<CarFields> = {},
  session: Partial<UpdateFields> = {}
): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil((to - from) / 20) }, (_, n) => from + 20 * n).flatMap((lapTime) => [
    update(begin + lapTime, session),
    car(laps, lapTime, more)
  ])

/** Datagrams arrive 10 ms apart, from 100 s on. */
export const link = (options: Partial<LinkOptions> = {}) => {
  const sent: Array<Uint8Array> = []
  const conversation = opened(new AccInterpreter(linkOptions(options)), (bytes) => void sent.push(bytes))
  const received = linkTo(conversation, 0.01)
  return { conversation, sent, ...received, tick: () => conversation.tick(received.now()) }
}
