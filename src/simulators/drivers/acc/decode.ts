/**
 * What Assetto Corsa Competizione answers and tells now and then (sheet acc-broadcasting, section 3). Each is undefined
 * for bytes that are too few; bytes after a message that is whole are left alone, as a newer game may add some.
 */
import { Reader } from "./Reader.ts"

/** The first byte. */
export const types = {
  registrationResult: 1,
  realtimeUpdate: 2,
  carUpdate: 3,
  entryList: 4,
  trackData: 5,
  entryListCar: 6,
  broadcastingEvent: 7
} as const

export interface RegistrationResult {
  readonly connectionId: number
  readonly success: boolean
  readonly isReadonly: boolean
  readonly error: string
}

export interface EntryList {
  readonly connectionId: number
  readonly cars: ReadonlyArray<number>
}

export interface DriverInfo {
  readonly firstName: string
  readonly lastName: string
  readonly shortName: string
  readonly category: number
  readonly nationality: number
}

export interface EntryListCar {
  readonly carIndex: number
  readonly carModel: number
  readonly teamName: string
  readonly raceNumber: number
  readonly cupCategory: number
  readonly currentDriverIndex: number
  readonly nationality: number
  readonly drivers: ReadonlyArray<DriverInfo>
}

export interface TrackData {
  readonly connectionId: number
  readonly trackName: string
  readonly trackId: number
  readonly trackMeters: number
  readonly cameraSets: ReadonlyMap<string, ReadonlyArray<string>>
  readonly hudPages: ReadonlyArray<string>
}

export interface BroadcastingEvent {
  readonly kind: number
  readonly message: string
  /** ms. */
  readonly time: number
  readonly carIndex: number
}

/** Whole messages only: what does not fit in a datagram is not read on for. */
const whole = <A>(reader: Reader, message: A): A | undefined => (reader.isBroken ? undefined : message)

/** So many of what `read` reads; no more than there are bytes for. */
const many = <A>(reader: Reader, count: number, read: () => A): ReadonlyArray<A> => {
  const all: Array<A> = []
  while (all.length < count && !reader.isBroken) all.push(read())
  return all
}

/** Exactly as long as it says: so few bytes are soon found in any garbage, and they decide over the link. */
export const decodeRegistrationResult = (bytes: Buffer): RegistrationResult | undefined => {
  const reader = new Reader(bytes, 1)
  const result = {
    connectionId: reader.i32(),
    success: reader.u8() > 0,
    // The wrong way round, as the game does it.
    isReadonly: reader.u8() === 0,
    error: reader.text()
  }
  return reader.left > 0 ? undefined : whole(reader, result)
}

export const decodeEntryList = (bytes: Buffer): EntryList | undefined => {
  const reader = new Reader(bytes, 1)
  const connectionId = reader.i32()
  return whole(reader, { connectionId, cars: many(reader, reader.u16(), () => reader.u16()) })
}

const readDriver = (reader: Reader): DriverInfo => ({
  firstName: reader.text(),
  lastName: reader.text(),
  shortName: reader.text(),
  category: reader.u8(),
  nationality: reader.u16()
})

export const decodeEntryListCar = (bytes: Buffer): EntryListCar | undefined => {
  const reader = new Reader(bytes, 1)
  return whole(reader, {
    carIndex: reader.u16(),
    carModel: reader.u8(),
    teamName: reader.text(),
    raceNumber: reader.i32(),
    cupCategory: reader.u8(),
    currentDriverIndex: reader.u8(),
    nationality: reader.u16(),
    drivers: many(reader, reader.u8(), () => readDriver(reader))
  })
}

export const decodeTrackData = (bytes: Buffer): TrackData | undefined => {
  const reader = new Reader(bytes, 1)
  const text = () => reader.text()
  return whole(reader, {
    connectionId: reader.i32(),
    trackName: reader.text(),
    trackId: reader.i32(),
    trackMeters: reader.i32(),
    cameraSets: new Map(
      many(reader, reader.u8(), () => [reader.text(), many(reader, reader.u8(), text)] as const)
    ),
    hudPages: many(reader, reader.u8(), text)
  })
}

export const decodeBroadcastingEvent = (bytes: Buffer): BroadcastingEvent | undefined => {
  const reader = new Reader(bytes, 1)
  return whole(reader, {
    kind: reader.u8(),
    message: reader.text(),
    time: reader.i32(),
    carIndex: reader.i32()
  })
}
