/** Runs the emulator that the command line names. */
import { isIPv6 } from "node:net"
import { Effect } from "effect"
import { DEFAULT_RATE, type SimulatorSettings } from "../SimulatorSettings.ts"
import { driving } from "./driving.ts"
import type { EmulatorKind, Scene } from "./Emulator.ts"
import { spoil } from "./faults.ts"

/** The body of a `POST /connect` that makes the service read the emulator, with the names that its protocol lacks. */
export const connectBody = (
  { extras, simulator }: EmulatorKind,
  { circuit, driver, vehicle }: Scene,
  at: { readonly host: string; readonly port: number }
) => ({
  host: at.host,
  port: at.port,
  app_name: "telemetry",
  simulator,
  circuit: circuit.name,
  vehicle: vehicle.name,
  driver,
  start_line: circuit.startLine,
  ...extras
})

/** Runs until the scope ends; gives its address. */
export const serveEmulator = Effect.fn("simulate.serveEmulator")(function* (
  kind: EmulatorKind,
  settings: SimulatorSettings
) {
  const { circuit, driver, duplicate, garbage, host, laps, loss, reorder, seed, vehicle } = settings
  const scene = { circuit, vehicle, driver }
  const at = yield* kind.serve({
    scene,
    host,
    port: settings.port ?? kind.port,
    drive: driving({
      circuit,
      vehicle,
      laps,
      seed,
      rate: settings.rate ?? DEFAULT_RATE,
      speed: settings.speed,
      pauses: settings.pause,
      restarts: settings.restart
    }),
    spoil: spoil({ loss, reorder, duplicate, garbage }, seed)
  })
  yield* Effect.logInfo(`Connect with ${JSON.stringify(connectBody(kind, scene, at))}`)
  return `${kind.scheme ?? "udp"}://${isIPv6(at.host) ? `[${at.host}]` : at.host}:${at.port}`
})
