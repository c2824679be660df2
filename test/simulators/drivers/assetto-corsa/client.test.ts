/**
 * An independent client (ac-remote-telemetry-client) reads from the emulator's bytes the drive that was driven. The client
 * sends to port 9996 only, so the test replaces its socket by a call.
 */
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { assettoCorsaEmulator } from "../../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { Frames } from "../../../../simulator/emulators/frames.ts"
import { carInfo } from "../../../../src/simulators/drivers/assetto-corsa/layout.ts"
import { encodeRequest } from "../../../../src/simulators/drivers/assetto-corsa/requests.ts"
import type { Read } from "../../../../src/simulators/packets/numbers.ts"
import { framesOptions, scene } from "../emulating.ts"

type Fields = Readonly<Record<string, number | string>>

interface Client {
  client: { close: () => void; send: (...sent: ReadonlyArray<unknown>) => void }
  on: (event: string, listener: (fields: Fields) => void) => void
  parseMessage: (bytes: Buffer, from: { readonly size: number }) => void
  handshake: () => void
  subscribeUpdate: () => void
  subscribeSpot: () => void
  dismiss: () => void
}

const Client = createRequire(import.meta.url)("ac-remote-telemetry-client") as new (host: string) => Client

const here = { address: "127.0.0.1", port: 50_000 }

/** A client whose datagrams reach an emulator and back. */
const connected = () => {
  const emulator = assettoCorsaEmulator(scene)
  const client = new Client(here.address)
  const received: Record<string, Array<Fields>> = { HANDSHAKER_RESPONSE: [], RT_CAR_INFO: [], RT_LAP: [] }
  for (const [event, all] of Object.entries(received)) client.on(event, (fields) => void all.push(fields))
  const toClient = (bytes: Uint8Array) => client.parseMessage(Buffer.from(bytes), { size: bytes.length })
  client.client.close()
  client.client = {
    close: () => {},
    send: (bytes) => emulator.heard?.(bytes as Buffer, here, toClient)
  }
  const drive = (frames: ReadonlyArray<Frame>) => frames.forEach((frame) => emulator.frame(frame, toClient))
  return { client, received, drive }
}

const float = Math.fround
/** The client does not cut off the bytes behind the name. */
const nameOf = (field: number | string | undefined) => String(field).split("%")[0]

describe("an independent client", () => {
  it("reads names, cars and laps field by field", () => {
    const source = new Frames(framesOptions({ laps: 2, rate: 20 }))
    const frames: Array<Frame> = []
    while (!frames.at(-1)?.finished) frames.push(source.next())
    const { client, drive, received } = connected()
    drive(frames.slice(0, 5))
    client.handshake()
    client.subscribeUpdate()
    client.subscribeSpot()
    drive(frames)
    const [answer, ...more] = received["HANDSHAKER_RESPONSE"]!
    expect(more).toEqual([])
    expect(answer).toMatchObject({ identifier: 4242, version: 1 })
    expect(
      ["carName", "driverName", "trackName", "trackConfig"].map((name) => nameOf(answer![name]))
    ).toEqual([scene.vehicle.name, scene.driver, scene.circuit.name, scene.circuit.name])
    const cars = received["RT_CAR_INFO"]!
    expect(cars).toHaveLength(frames.length)
    cars.forEach((car, n) => {
      const frame = frames[n]!
      const isLate = frame.lapEnded && frame.lastLap!.lapNumber === 2
      const lastLap = isLate ? frames[n - 1]!.lastLap : frame.lastLap
      // Its `identifier` is not compared: it takes the garbage beside the "a" for text.
      const wheels = ["fl", "fr", "rl", "rr"].map((wheel, at) => ({
        [`wheelAngularSpeed${at + 1}`]: float(frame.carValue(`wheel_rotation_${wheel}`)),
        [`slipAngle${at + 1}`]: float(frame.carValue(`slip_angle_${wheel}`)),
        [`slipRatio${at + 1}`]: float(frame.carValue(`slip_ratio_${wheel}`)),
        [`load${at + 1}`]: float(frame.carValue(`wheel_load_${wheel}`)),
        [`tyreRadius${at + 1}`]: float(scene.vehicle.wheelRadius),
        [`suspensionHeight${at + 1}`]: float(frame.carValue(`suspension_travel_${wheel}`) / 1000)
      }))
      expect(car).toMatchObject({
        size: 328,
        speedKmh: float(frame.speed),
        speedMs: float(frame.speed / 3.6),
        isInPit: 0,
        accGVertical: float(0 - frame.carValue("g_lateral")),
        accGHorizontal: float(frame.carValue("g_vertical")),
        accGFrontal: float(frame.carValue("g_longitudinal")),
        lapTime: Math.floor(frame.lapTime * 1000 + 1e-6),
        lastLap: Math.round((lastLap?.lapTime ?? 0) * 1000),
        bestLap: Math.round((frame.bestLap ?? 0) * 1000),
        lapCount: frame.lastLap?.lapNumber ?? 0,
        gas: float(frame.throttle),
        brake: float(frame.brake),
        clutch: 1,
        engineRPM: float(frame.rpm),
        steer: float(frame.steering * 450),
        gear: frame.gear + 1,
        carPositionNormalized: float(frame.lapDistance / scene.circuit.length),
        carCoordinatesX: float(frame.x),
        carCoordinatesY: float(frame.z),
        carCoordinatesZ: float(-frame.y),
        ...Object.assign({}, ...wheels)
      })
      expect(car["speedMph"]).toBeCloseTo(frame.speed / 1.609344, 3)
    })
    const laps = frames.filter(({ lapEnded }) => lapEnded).map(({ lastLap }) => lastLap!)
    expect(
      received["RT_LAP"]!.map((spot) => [
        spot["carIdentifierNumber"],
        spot["lap"],
        nameOf(spot["driverName"]),
        nameOf(spot["carName"]),
        spot["time"]
      ])
    ).toEqual(
      laps.flatMap(({ lapNumber, lapTime }) => [
        [0, lapNumber, scene.driver, scene.vehicle.name, Math.round(lapTime * 1000)],
        [1, lapNumber, "Rival 1", "abarth500", Math.round(lapTime * 1020)]
      ])
    )
  })

  it("reads each field of each packet as our driver does", () => {
    const sent = new Frames(framesOptions({ rate: 20 }))
    const read: Readonly<Record<string, Read>> = carInfo.read
    const names = Object.keys(read).filter((name) => name !== "identifier")
    const seeds = Array.from({ length: 50 }, () => sent.next())
    const client = new Client(here.address)
    client.client.close()
    let cars = 0
    client.on("RT_CAR_INFO", (car) => {
      cars++
      expect(Object.fromEntries(names.map((name) => [name, car[name]]))).toEqual(
        Object.fromEntries(names.map((name) => [name, read[name]!(bytes)]))
      )
    })
    let bytes = Buffer.alloc(0)
    const emulator = assettoCorsaEmulator(scene)
    emulator.heard?.(encodeRequest("subscribeUpdates"), here, () => {})
    const other = (frame: Frame) =>
      emulator.frame(frame, (one) => {
        bytes = Buffer.from(one)
        // Each field with a value that no other has.
        names.forEach((name, n) =>
          carInfo.write(bytes, 0, { [name]: name.startsWith("is") ? n : n * 7 + frame.index })
        )
        client.parseMessage(bytes, { size: bytes.length })
      })
    seeds.forEach(other)
    expect(cars).toBe(50)
  })

  it("receives nothing more after it has left", () => {
    const { client, drive, received } = connected()
    const frames = new Frames(framesOptions())
    client.subscribeUpdate()
    drive([frames.next(), frames.next()])
    client.dismiss()
    drive([frames.next()])
    expect(received["RT_CAR_INFO"]).toHaveLength(2)
    expect(received["RT_LAP"]).toEqual([])
  })
})
