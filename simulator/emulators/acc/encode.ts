/** The messages of Assetto Corsa Competizione (acc-broadcasting, section 3), with their constant fields. */
import {
  broadcastingEvent,
  type CarFields,
  carUpdate,
  type Conditions,
  entryList,
  entryListCar,
  registrationResult,
  type SessionFields,
  sessionUpdate,
  trackData,
  types
} from "../../../src/simulators/drivers/acc/layout.ts"

const screen = { activeCameraSet: "Drivable", activeCamera: "Chase", currentHudPage: "Broadcasting" } as const

export const encodeRegistrationResult = (connectionId: number, error: string): Buffer =>
  registrationResult.encode({
    type: types.registrationResult,
    connectionId,
    success: error === "",
    isReadonly: true,
    error
  })

/** The session's update, which includes the weather. */
export type UpdateFields = SessionFields & Conditions

const weatherIn = ({ ambientTemp, clouds, rainLevel, timeOfDay, trackTemp, wetness }: UpdateFields) => ({
  timeOfDay,
  ambientTemp,
  trackTemp,
  clouds,
  rainLevel,
  wetness
})

/** In a replay: the played position of the session. */
export const encodeUpdate = (values: UpdateFields): Buffer =>
  sessionUpdate.encode({
    type: types.realtimeUpdate,
    ...screen,
    ...values,
    isReplayPlaying: values.replaySessionTime !== undefined,
    conditions: weatherIn(values)
  })

export const encodeCar = (values: CarFields): Buffer => carUpdate.encode({ type: types.carUpdate, ...values })

export const encodeEntryList = (connectionId: number, cars: ReadonlyArray<number>): Buffer =>
  entryList.encode({ type: types.entryList, connectionId, cars })

export interface EntryFields {
  readonly carIndex: number
  readonly carModelType: number
  readonly teamName: string
  readonly raceNumber: number
  /** First and last name. */
  readonly drivers: ReadonlyArray<readonly [string, string]>
}

export const encodeEntry = ({ drivers, ...values }: EntryFields): Buffer =>
  entryListCar.encode({
    type: types.entryListCar,
    ...values,
    cupCategory: 0,
    currentDriverIndex: 0,
    nationality: 0,
    drivers: drivers.map(([firstName, lastName]) => ({
      firstName,
      lastName,
      shortName: lastName.slice(0, 3).toUpperCase(),
      category: 3,
      nationality: 0
    }))
  })

export const encodeTrack = (connectionId: number, trackName: string, trackMeters: number): Buffer =>
  trackData.encode({
    type: types.trackData,
    connectionId,
    trackName,
    trackId: 2,
    trackMeters,
    cameraSets: [{ name: "Drivable", cameras: ["Chase", "Cockpit"] }],
    hudPages: ["Broadcasting"]
  })

/** A lap was completed: kind 5. */
export const encodeLapCompleted = (carIndex: number, timeMs: number): Buffer =>
  broadcastingEvent.encode({
    type: types.broadcastingEvent,
    kind: 5,
    message: "Lap completed",
    timeMs,
    carIndex
  })
