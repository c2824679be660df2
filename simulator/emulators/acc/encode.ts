/** The messages of Assetto Corsa Competizione's side (sheet acc-broadcasting, section 3): packed, little endian. */

/** "None" of lap and split times. */
export const NO_TIME = 2147483647

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

  f32(...values: ReadonlyArray<number>): this {
    for (const value of values) this.#number(4, (bytes) => bytes.writeFloatLE(value))
    return this
  }

  text(value: string): this {
    const bytes = Buffer.from(value, "utf8")
    this.u16(bytes.length).#parts.push(bytes)
    return this
  }

  lap(lap: LapFields): this {
    this.i32(lap.lapTime).u16(lap.carIndex).u16(lap.driverIndex).u8(lap.splits.length)
    for (const split of lap.splits) this.i32(split)
    return this.u8(
      Number(lap.isInvalid),
      Number(lap.isValidForBest),
      Number(lap.isOutLap),
      Number(lap.isInLap)
    )
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

export interface UpdateFields {
  readonly eventIndex: number
  readonly sessionIndex: number
  readonly sessionType: number
  readonly phase: number
  /** ms. */
  readonly sessionTime: number
  readonly sessionEndTime: number
  readonly focusedCarIndex: number
  /** ms, of a replay that plays, and what remains of it. */
  readonly replay: readonly [time: number, remaining: number] | undefined
  /** s. */
  readonly timeOfDay: number
  readonly bestSessionLap: LapFields
}

export const encodeUpdate = (fields: UpdateFields): Buffer =>
  new Writer()
    .u8(2)
    .u16(fields.eventIndex)
    .u16(fields.sessionIndex)
    .u8(fields.sessionType, fields.phase)
    .f32(fields.sessionTime, fields.sessionEndTime)
    .i32(fields.focusedCarIndex)
    .text("Drivable")
    .text("Chase")
    .text("Broadcasting")
    .u8(Number(fields.replay !== undefined))
    .f32(...(fields.replay ?? []), fields.timeOfDay)
    // Air and track, degrees C; clouds, rain and wetness in tenths.
    .u8(24, 31, 3, 0, 0)
    .lap(fields.bestSessionLap)
    .done()

export interface CarFields {
  readonly carIndex: number
  readonly driverCount: number
  readonly gearRaw: number
  /** m and rad. */
  readonly worldPosX: number
  readonly worldPosY: number
  readonly yaw: number
  readonly carLocation: number
  /** km/h. */
  readonly speed: number
  readonly position: number
  readonly splinePosition: number
  /** Completed. */
  readonly laps: number
  /** ms. */
  readonly delta: number
  readonly bestSessionLap: LapFields
  readonly lastLap: LapFields
  readonly currentLap: LapFields
}

export const encodeCar = (fields: CarFields): Buffer =>
  new Writer()
    .u8(3)
    .u16(fields.carIndex)
    .u16(0)
    .u8(fields.driverCount, fields.gearRaw)
    .f32(fields.worldPosX, fields.worldPosY, fields.yaw)
    .u8(fields.carLocation)
    .u16(fields.speed)
    .u16(fields.position)
    .u16(fields.position)
    .u16(fields.position)
    .f32(fields.splinePosition)
    .u16(fields.laps)
    .i32(fields.delta)
    .lap(fields.bestSessionLap)
    .lap(fields.lastLap)
    .lap(fields.currentLap)
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
