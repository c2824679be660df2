/** The messages of Assetto Corsa Competizione's side (sheet acc-broadcasting, section 3): packed, little endian. */
import {
  carUpdate,
  conditions,
  lapFlags,
  lapHead,
  replay,
  sessionUpdate
} from "../../../src/simulators/drivers/acc/layout.ts"
import type { FieldValues, Struct } from "../../../src/simulators/packets/Struct.ts"

class Writer {
  readonly #parts: Array<Buffer> = []

  u8(...values: ReadonlyArray<number>): this {
    this.#parts.push(Buffer.from(values))
    return this
  }

  u16(value: number): this {
    return this.#number(2, (bytes) => bytes.writeUInt16LE(value))
  }

  i32(value: number): this {
    return this.#number(4, (bytes) => bytes.writeInt32LE(value))
  }

  /** A part whose fields have fixed places. */
  struct(struct: Struct, values: FieldValues): this {
    const bytes = Buffer.alloc(struct.size)
    struct.write(bytes, 0, values)
    this.#parts.push(bytes)
    return this
  }

  text(value: string): this {
    const bytes = Buffer.from(value, "utf8")
    this.u16(bytes.length).#parts.push(bytes)
    return this
  }

  lap(lap: LapFields): this {
    const { carIndex, driverIndex, isInvalid, isValidForBest, lapTime, splits } = lap
    this.struct(lapHead, { laptimeMs: lapTime, carIndex, driverIndex, splitCount: splits.length })
    for (const split of splits) this.i32(split)
    return this.struct(lapFlags, {
      isInvalid: Number(isInvalid),
      isValidForBest: Number(isValidForBest),
      isOutlap: Number(lap.isOutLap),
      isInlap: Number(lap.isInLap)
    })
  }

  done(): Buffer {
    return Buffer.concat(this.#parts)
  }

  #number(length: number, write: (bytes: Buffer) => void): this {
    const bytes = Buffer.alloc(length)
    write(bytes)
    this.#parts.push(bytes)
    return this
  }
}

/** Times in ms, `NO_TIME` for none; as many splits as there are, 0 to 3. */
export interface LapFields {
  readonly lapTime: number
  readonly carIndex: number
  readonly driverIndex: number
  readonly splits: ReadonlyArray<number>
  readonly isInvalid: boolean
  readonly isValidForBest: boolean
  readonly isOutLap: boolean
  readonly isInLap: boolean
}

export const encodeRegistrationResult = (connectionId: number, error: string): Buffer =>
  // 0 is read only: the wrong way round, as the game does it.
  new Writer()
    .u8(1)
    .i32(connectionId)
    .u8(Number(error === ""), 0)
    .text(error)
    .done()

/** The session's update by the names of its tables. */
export interface UpdateFields extends Readonly<
  Record<
    Exclude<(typeof sessionUpdate.fields)[number][0] | (typeof conditions.fields)[number][0], "type">,
    number
  >
> {
  /** ms, of a replay that plays, and what remains of it. */
  readonly replay: readonly [time: number, remaining: number] | undefined
  readonly bestSessionLap: LapFields
}

export const encodeUpdate = ({ bestSessionLap, replay: played, ...values }: UpdateFields): Buffer => {
  const writer = new Writer()
    .struct(sessionUpdate, { type: 2, ...values })
    .text("Drivable")
    .text("Chase")
    .text("Broadcasting")
    .u8(Number(played !== undefined))
  if (played !== undefined) {
    writer.struct(replay, { replaySessionTime: played[0], replayRemainingTime: played[1] })
  }
  return writer.struct(conditions, values).lap(bestSessionLap).done()
}

/** A car's update by the names of its table. */
export interface CarFields extends Readonly<
  Record<Exclude<(typeof carUpdate.fields)[number][0], "type">, number>
> {
  readonly bestSessionLap: LapFields
  readonly lastLap: LapFields
  readonly currentLap: LapFields
}

export const encodeCar = ({ bestSessionLap, currentLap, lastLap, ...values }: CarFields): Buffer =>
  new Writer()
    .struct(carUpdate, { type: 3, ...values })
    .lap(bestSessionLap)
    .lap(lastLap)
    .lap(currentLap)
    .done()

export const encodeEntryList = (connectionId: number, cars: ReadonlyArray<number>): Buffer =>
  cars.reduce((writer, car) => writer.u16(car), new Writer().u8(4).i32(connectionId).u16(cars.length)).done()

export interface EntryFields {
  readonly carIndex: number
  readonly carModel: number
  readonly team: string
  readonly raceNumber: number
  /** First and last name. */
  readonly drivers: ReadonlyArray<readonly [string, string]>
}

export const encodeEntry = ({ carIndex, carModel, drivers, raceNumber, team }: EntryFields): Buffer =>
  drivers
    .reduce(
      (writer, [first, last]) =>
        writer.text(first).text(last).text(last.slice(0, 3).toUpperCase()).u8(3).u16(0),
      new Writer()
        .u8(6)
        .u16(carIndex)
        .u8(carModel)
        .text(team)
        .i32(raceNumber)
        .u8(0, 0)
        .u16(0)
        .u8(drivers.length)
    )
    .done()

export const encodeTrack = (connectionId: number, name: string, metres: number): Buffer =>
  new Writer()
    .u8(5)
    .i32(connectionId)
    .text(name)
    .i32(2)
    .i32(metres)
    .u8(1)
    .text("Drivable")
    .u8(2)
    .text("Chase")
    .text("Cockpit")
    .u8(1)
    .text("Broadcasting")
    .done()

/** A lap was completed: kind 5. */
export const encodeLapCompleted = (carIndex: number, lapTime: number): Buffer =>
  new Writer().u8(7, 5).text("Lap completed").i32(lapTime).i32(carIndex).done()
