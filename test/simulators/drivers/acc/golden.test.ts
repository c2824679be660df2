/** Assetto Corsa Competizione: the golden packets, field by field, both ways. */
import { describe, expect, it } from "vitest"
import { parseRequest } from "../../../../simulator/emulators/acc/requests.ts"
import * as tables from "../../../../src/simulators/drivers/acc/layout.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import { answers, link } from "./link.ts"
import { bytesOf, goldenVectors, haveGolden } from "../interpreting.ts"
import { channelsIn } from "../suite/channels.ts"
import { needing } from "../../../support/needing.ts"
import { goldenHere } from "../../../support/sharedData.ts"

const vectors = haveGolden ? goldenVectors("acc.json") : []
const named = (name: string) => {
  const vector = vectors.find((one) => one.name === name)
  if (vector === undefined) return expect.unreachable(`no golden vector is called ${name}`)
  return { bytes: bytesOf(vector), reported: vector.expect as Record<string, never> }
}

const { request, registration, types } = tables

/** The table of each type, all of which is compared by the sheet's names. */
const tableOf = {
  [types.registrationResult]: tables.registrationResult,
  [types.realtimeUpdate]: tables.sessionUpdate,
  [types.carUpdate]: tables.carUpdate,
  [types.entryList]: tables.entryList,
  [types.trackData]: tables.trackData,
  [types.entryListCar]: tables.entryListCar,
  [types.broadcastingEvent]: tables.broadcastingEvent
}

interface Table {
  readonly read: (bytes: Buffer) => Readonly<Record<string, unknown>> | undefined
  readonly encode: (values: unknown) => Buffer
  readonly placesIn: (bytes: Buffer) => object | undefined
}

const table = (bytes: Buffer) => tableOf[bytes[0] as keyof typeof tableOf] as Table

/** Values that the golden packets have in another form than the bytes. */
const shaped = ({ cameraSets, clouds, gearRaw, ...reported }: Readonly<Record<string, unknown>>) => ({
  ...reported,
  ...(gearRaw === undefined ? {} : { gear: gearRaw }),
  ...(clouds === undefined ? {} : { clouds: Number(clouds) * 10 }),
  ...(cameraSets === undefined
    ? {}
    : { cameraSets: Object.entries(cameraSets as object).map(([name, cameras]) => ({ name, cameras })) })
})

/** The sheet has laps with three splits; the bytes have only those that were driven. */
const padded = (values: object) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      if (!name.endsWith("Lap")) return [name, value]
      const lap = value as tables.LapInfo
      return [name, { ...lap, splits: [...lap.splits, null, null, null].slice(0, 3) }]
    })
  )

describe("golden packets", needing(goldenHere), () => {
  it("are all compared", () => {
    expect(vectors).toHaveLength(13)
  })

  it("registrations are ours, byte for byte", () => {
    const { bytes, reported } = named("REGISTER (client)")
    const { type: _, version: __, ...rest } = reported
    expect(registration.read(bytes)).toEqual(reported)
    expect(registration.encode(registration.read(bytes)!)).toEqual(bytes)
    expect(parseRequest(bytes)).toEqual({ kind: "register", ...(rest as object) })
  })

  it.each([
    ["UNREGISTER", "unregister"],
    ["REQUEST_ENTRY_LIST", "entryList"],
    ["REQUEST_TRACK_DATA", "trackData"]
  ] as const)("%s is ours, byte for byte", (name, kind) => {
    const { bytes, reported } = named(`${name} (client)`)
    expect(request.read(bytes)).toEqual(reported)
    expect(
      request.encode({ type: tables.requestTypes[kind], connectionId: reported["connectionId"]! })
    ).toEqual(bytes)
    expect(parseRequest(bytes)).toEqual({ kind, connectionId: reported["connectionId"] })
  })

  it.each(vectors.filter(({ name }) => !name.includes("(client)")))("$name", (vector) => {
    const bytes = bytesOf(vector)
    const packet = table(bytes)
    const values = packet.read(bytes)!
    expect(padded({ ...values, ...(values["conditions"] as object) })).toMatchObject(
      shaped(vector.expect as object as Record<string, unknown>)
    )
    // All values, also those that the golden packets have in their bytes alone.
    expect(packet.encode(values).toString("hex")).toBe(bytes.toString("hex"))
  })

  it("become channels", () => {
    const reported = channelsIn(
      link().receiveAll([
        ...answers,
        ...["TRACK_DATA", "REALTIME_UPDATE", "REALTIME_CAR_UPDATE"].map((name) => named(name).bytes)
      ])
    )
    const values = [...reported].map(([name, { values: all }]) => [name, all.length === 1 ? all[0] : all])
    expect(Object.fromEntries(values)).toEqual({
      // The drive has not yet shown how the game counts the yaw and the end.
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

  it("cannot be read if a byte is missing", () => {
    for (const vector of vectors.filter(({ name }) => !name.includes("(client)"))) {
      const bytes = bytesOf(vector)
      const packet = table(bytes)
      expect(packet.read(bytes)).toBeDefined()
      for (let length = 1; length < bytes.length; length++) {
        expect(packet.read(bytes.subarray(0, length))).toBeUndefined()
      }
    }
  })
})

describe("requests as the simulator reads them", () => {
  const fields = { displayName: "Ü", connectionPassword: "p", updateIntervalMs: 16, commandPassword: "" }
  const bytes = registration.encode({ type: 1, version: tables.PROTOCOL_VERSION, ...fields })
  const changed = (at: number, value: number) => Buffer.from(bytes).fill(value, at, at + 1)

  it("are whole, of this version and of text", () => {
    expect(parseRequest(bytes)).toEqual({ kind: "register", ...fields })
    expect(parseRequest(Buffer.of(9))).toEqual({ kind: "unregister", connectionId: undefined })
  })

  it.each([
    ["cut off", Array.from(bytes, (_, length) => bytes.subarray(0, length))],
    [
      "too long",
      [bytes, request.encode({ type: 10, connectionId: 1 })].map((one) =>
        Buffer.concat([one], one.length + 1)
      )
    ],
    ["of another version", [changed(1, 3)]],
    ["not text", [changed(4, 0xff)]],
    ["of an unknown type", [Buffer.of(99)]]
  ])("are not read if they are %s", (_, broken) => {
    expect(broken.map(parseRequest)).toEqual(broken.map(() => undefined))
  })
})
