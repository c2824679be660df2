/** Assetto Corsa Competizione: the golden packets, field by field, and broken ones. */
import { describe, expect, it } from "vitest"
import { parseRequest } from "../../../simulator/emulators/acc/requests.ts"
import {
  decodeBroadcastingEvent,
  decodeEntryList,
  decodeEntryListCar,
  decodeRegistrationResult,
  decodeTrackData
} from "../../../src/simulators/drivers/acc/decode.ts"
import { carUpdate, conditions, sessionUpdate } from "../../../src/simulators/drivers/acc/layout.ts"
import {
  carIndexOf,
  decodeCarUpdate,
  decodeRealtimeUpdate,
  type LapInfo
} from "../../../src/simulators/drivers/acc/realtime.ts"
import { encodeRegistration, encodeRequest } from "../../../src/simulators/drivers/acc/requests.ts"
import { ABSENT } from "../../../src/domain/PointBatch.ts"
import type { Read } from "../../../src/simulators/packets/numbers.ts"
import type { Field, FieldValues, Struct } from "../../../src/simulators/packets/Struct.ts"
import { answers, drive, link } from "./accLink.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden } from "./interpreting.ts"
import { channelsIn } from "./telling.ts"
import { needing } from "../../runner/needing.ts"
import { goldenHere } from "../../runner/sharedData.ts"

const vectors = haveGolden ? goldenVectors("acc.json") : []
const named = (name: string) => {
  const vector = vectors.find((one) => one.name === name)
  if (vector === undefined) return expect.unreachable(`no golden vector is called ${name}`)
  return { bytes: bytesOf(vector), told: vector.expect as Record<string, never> }
}

/** As the golden packets name the fields of a lap. */
const lapOf = (lap: LapInfo | undefined) => ({
  laptimeMs: lap?.lapTime,
  carIndex: lap?.carIndex,
  driverIndex: lap?.driverIndex,
  splits: lap?.splits,
  isInvalid: lap?.isInvalid,
  isValidForBest: lap?.isValidForBest,
  isOutlap: lap?.isOutLap,
  isInlap: lap?.isInLap
})

/** Every number of a structure that begins at `base`, by the table's names. */
const fieldsOf = <F extends Field>(struct: Struct<F>, bytes: Buffer, base = 0) =>
  Object.fromEntries(
    Object.entries<Read>(struct.read).map(([name, read]) => [name, read(bytes, base)])
  ) as Readonly<Record<string, number>>

/** All of a structure is written, to the same bytes. */
const expectWritten = <F extends Field>(
  struct: Struct<F>,
  bytes: Buffer,
  base: number,
  values: FieldValues
) => {
  const written = Buffer.alloc(bytes.length, 0xff)
  struct.write(written, base, values)
  const end = base + struct.size
  expect(written.subarray(base, end).toString("hex")).toBe(bytes.subarray(base, end).toString("hex"))
}

describe("golden packets", needing(goldenHere), () => {
  it("are all compared", () => {
    expect(vectors).toHaveLength(13)
  })

  it("registrations are ours, byte for byte", () => {
    const { bytes, told } = named("REGISTER (client)")
    const fields = {
      displayName: told["displayName"]!,
      connectionPassword: told["connectionPassword"]!,
      commandPassword: told["commandPassword"]!,
      interval: told["updateIntervalMs"]!
    }
    expect([bytes[0], bytes[1]]).toEqual([told["type"], told["version"]])
    expect(encodeRegistration(fields)).toEqual(bytes)
    expect(parseRequest(bytes)).toEqual({ kind: "register", ...fields })
  })

  it.each([
    ["UNREGISTER", "unregister"],
    ["REQUEST_ENTRY_LIST", "entryList"],
    ["REQUEST_TRACK_DATA", "trackData"]
  ] as const)("%s is ours, byte for byte", (name, kind) => {
    const { bytes, told } = named(`${name} (client)`)
    expect(bytes[0]).toBe(told["type"])
    expect(encodeRequest(kind, told["connectionId"]!)).toEqual(bytes)
    expect(parseRequest(bytes)).toEqual({ kind, connectionId: told["connectionId"] })
  })

  it.each(["ok", "refused"])("REGISTRATION_RESULT %s", (name) => {
    const { bytes, told } = named(`REGISTRATION_RESULT ${name}`)
    expect({ type: bytes[0], ...decodeRegistrationResult(bytes) }).toEqual(told)
  })

  it("ENTRY_LIST", () => {
    const { bytes, told } = named("ENTRY_LIST")
    expect({ type: bytes[0], ...decodeEntryList(bytes) }).toEqual(told)
  })

  it("ENTRY_LIST_CAR", () => {
    const { bytes, told } = named("ENTRY_LIST_CAR")
    const { carModel: carModelType, ...rest } = decodeEntryListCar(bytes)!
    expect({ type: bytes[0], carModelType, ...rest }).toEqual(told)
  })

  it("TRACK_DATA", () => {
    const { bytes, told } = named("TRACK_DATA")
    const { cameraSets, ...rest } = decodeTrackData(bytes)!
    expect({ type: bytes[0], cameraSets: Object.fromEntries(cameraSets), ...rest }).toEqual(told)
  })

  it.each(["REALTIME_UPDATE", "REALTIME_UPDATE replay"])("%s", (name) => {
    const { bytes, told } = named(name)
    const update = decodeRealtimeUpdate(bytes)!
    const around = fieldsOf(conditions, bytes, update.conditions)
    const read = {
      ...update,
      ...fieldsOf(sessionUpdate, bytes),
      ...around,
      clouds: around["clouds"]! / 10,
      bestSessionLap: lapOf(update.bestSessionLap)
    }
    expect(read).toMatchObject(told)
    // Not among what the golden packets say, but in their bytes.
    expect(bytes.subarray(update.conditions + 7, update.conditions + 9)).toEqual(Buffer.of(0, 0))
    const values = { ...told, clouds: Number(told["clouds"]) * 10, rainLevel: 0, wetness: 0 }
    expectWritten(conditions, bytes, update.conditions, name.endsWith("replay") ? around : values)
    if (!name.endsWith("replay")) expectWritten(sessionUpdate, bytes, 0, values)
  })

  it("REALTIME_CAR_UPDATE", () => {
    const { bytes, told } = named("REALTIME_CAR_UPDATE")
    const car = decodeCarUpdate(bytes)!
    const { gear: gearRaw, ...fields } = fieldsOf(carUpdate, bytes)
    const read = {
      ...fields,
      gearRaw,
      bestSessionLap: lapOf(car.bestSessionLap),
      lastLap: lapOf(car.lastLap),
      currentLap: lapOf(car.currentLap)
    }
    expect(read).toMatchObject(told)
    expect(carIndexOf(bytes)).toBe(told["carIndex"])
    expectWritten(carUpdate, bytes, 0, { ...told, gear: told["gearRaw"]! })
  })

  it("become channels", () => {
    const { hears } = link()
    const told = channelsIn(
      hears([
        ...answers,
        ...["TRACK_DATA", "REALTIME_UPDATE", "REALTIME_CAR_UPDATE"].map((name) => named(name).bytes)
      ])
    )
    const values = [...told].map(([name, { values: all }]) => [name, all.length === 1 ? all[0] : all])
    expect(Object.fromEntries(values)).toEqual({
      // The way has shown nothing yet, of the yaw or of the end.
      yaw: ABSENT,
      session_time_left: ABSENT,
      current_lap: 5,
      lap_distance: Math.fround(0.43209999799728394 * 5793),
      lap_fraction: 0.43209999799728394,
      lap_time_so_far: 45.21,
      delta_to_best: -0.321,
      race_position: 1,
      laps_completed: 4,
      pit_status: 0,
      in_pit: 0,
      lap_invalid: 0,
      last_lap_time: 108.89,
      best_lap_time: 107.89,
      sector1_time: 34.1,
      sector2_time: ABSENT,
      session_time: Math.fround(123.456),
      time_of_day: 50_400,
      acc_cup_position: 1,
      acc_track_position: 3,
      acc_driver: 1,
      acc_out_lap: 0,
      acc_in_lap: 0,
      acc_valid_for_best: 1,
      acc_session_best_lap_time: 107.89,
      acc_session_type: 10,
      acc_phase: 5,
      air_temperature: 24,
      track_temperature: 31,
      rain: 0,
      wetness: 0,
      acc_clouds: 0.3
    })
  })

  it("BROADCASTING_EVENT", () => {
    const { bytes, told } = named("BROADCASTING_EVENT")
    const { time: timeMs, ...rest } = decodeBroadcastingEvent(bytes)!
    expect({ type: bytes[0], timeMs, ...rest }).toEqual(told)
  })

  it("are none where a byte is missing", () => {
    const decoders: Readonly<Record<number, (bytes: Buffer) => unknown>> = {
      1: decodeRegistrationResult,
      2: decodeRealtimeUpdate,
      3: decodeCarUpdate,
      4: decodeEntryList,
      5: decodeTrackData,
      6: decodeEntryListCar,
      7: decodeBroadcastingEvent
    }
    for (const vector of vectors.filter(({ name }) => !name.includes("(client)"))) {
      const bytes = bytesOf(vector)
      const decode = decoders[bytes[0]!]!
      expect(decode(bytes)).toBeDefined()
      for (let length = 1; length < bytes.length; length++) {
        expect(decode(bytes.subarray(0, length))).toBeUndefined()
      }
    }
  })
})

describe("requests as the simulator reads them", () => {
  const registration = { displayName: "Ü", connectionPassword: "p", interval: 16, commandPassword: "" }
  const bytes = encodeRegistration(registration)

  it("are whole, and nothing more", () => {
    expect(parseRequest(bytes)).toEqual({ kind: "register", ...registration })
    for (let length = 0; length < bytes.length; length++) {
      expect(parseRequest(bytes.subarray(0, length))).toBeUndefined()
    }
    expect(parseRequest(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined()
    expect(parseRequest(Buffer.concat([encodeRequest("entryList", 1), Buffer.alloc(1)]))).toBeUndefined()
  })

  it("are of this version, and of text", () => {
    const other = Buffer.from(bytes)
    other[1] = 3
    expect(parseRequest(other)).toBeUndefined()
    const broken = Buffer.from(bytes)
    broken[4] = 0xff
    expect(parseRequest(broken)).toBeUndefined()
  })

  it("take a sendDisconnect without an id, and no type that they do not know", () => {
    expect(parseRequest(Buffer.of(9))).toEqual({ kind: "unregister", connectionId: undefined })
    expect(parseRequest(Buffer.of(99))).toBeUndefined()
  })
})

const fresh = () => {
  const { conversation, hears } = link()
  hears(answers)
  return conversation
}
const unanswered = () => link().conversation

it("never throws, and gives only finite points", () => {
  const seeds = [...vectors.map(bytesOf), ...answers, ...drive(0, 0, 2000, 0), ...drive(1, 0, 1000, 2000)]
  expect(() => fuzz(fresh, seeds, 15_000)).not.toThrow()
  expect(() => fuzz(unanswered, seeds, 5000)).not.toThrow()
})
