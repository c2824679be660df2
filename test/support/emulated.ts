/** A service to which emulators of real simulators are connected, each a process of its own. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import type { EmulatorKind } from "../../simulator/emulators/Emulator.ts"
import { emulators } from "../../simulator/emulators/index.ts"
import { connectBody } from "../../simulator/emulators/serveEmulator.ts"
import { circuitNamed } from "../../simulator/model/Circuit.ts"
import { vehicleNamed } from "../../simulator/model/vehicles.ts"
import * as Box from "./processes.ts"

export interface Session {
  readonly id: number
  readonly circuit: string
  readonly vehicle: string
  readonly driver: string
}

export const circuit = circuitNamed("Larkspur Park")!
export const vehicle = vehicleNamed("Merlin F-08")!
/** A driver's name for each emulator, by which its sessions are found. */
export const driverOf = (protocol: string) => `Robin ${protocol}`
export const SEED = 7
/** They drive on until the test ends: a lap that a busy machine spoils is followed by another. */
const LAPS = 0
/** Multiple of real time: a stall of the machine is that much longer for the drive. */
const SPEED = 4

/** One of each kind of link. */
export const tried = emulators.filter(({ protocol }) =>
  ["assetto-corsa", "f1-2025", "gt7", "lfs"].includes(protocol)
)

const speedOf = (protocol: string) => (protocol === "gt7" ? 3 : SPEED)

/** Connects the service to an emulator of this kind until the scope ends; `line`: its flags for a bad line. */
export const connectEmulator = Effect.fn(function* (
  service: Box.Running,
  kind: EmulatorKind,
  ...line: ReadonlyArray<string>
) {
  const { protocol } = kind
  const drive = {
    protocol,
    circuit: circuit.name,
    vehicle: vehicle.name,
    laps: LAPS,
    seed: SEED,
    driver: driverOf(protocol),
    speed: speedOf(protocol)
  }
  const flags = Object.entries(drive).flatMap(([flag, value]) => [`--${flag}`, String(value)])
  const emulator = yield* Box.startSimulator(...flags, ...line)
  const { hostname, port } = new URL(emulator.address)
  const scene = { circuit, vehicle, driver: driverOf(protocol) }
  const body = connectBody(kind, scene, { host: hostname, port: Number(port) })
  const answer = yield* Box.ask(service, "POST", "/connect", body)
  expect(answer).toMatchObject({ status: 200 })
})

/** A service with emulators until the scope ends; `line`: flags of each emulator. */
export const connectedEmulators = Effect.fn(function* (...line: ReadonlyArray<string>) {
  const service = yield* Box.startService(yield* Box.folder)
  yield* Effect.forEach(tried, (kind) => connectEmulator(service, kind, ...line), {
    concurrency: tried.length,
    discard: true
  })
  return service
})
