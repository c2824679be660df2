/** Connects an emulator to a driver's state machine: frames become datagrams, and datagrams events. No socket, no clock. */
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Client, Emulator, Frame, Scene, Send } from "../../../simulator/emulators/Emulator.ts"
import { type Faults, spoil } from "../../../simulator/emulators/faults.ts"
import { Frames, type FramesOptions } from "../../../simulator/emulators/frames.ts"
import { circuitNamed } from "../../../simulator/model/Circuit.ts"
import type { DrivenLap } from "../../../simulator/model/lap.ts"
import { vehicleNamed } from "../../../simulator/model/vehicles.ts"
import type { Conversation, Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"

export const scene: Scene = {
  circuit: circuitNamed("Larkspur Park")!,
  vehicle: vehicleNamed("Merlin F-08")!,
  driver: "Robin Vale"
}

/**
 * Frames a second: a third of what games send, for a third of the work. A test that depends on the rate sets another one. So does
 * the one drive of each driver whose every frame is compared, at the game's own rate.
 */
export const RATE = 20
/** The rate of most games. */
export const GAME_RATE = 60

export const framesOptions = (more: Partial<FramesOptions> = {}): FramesOptions => ({
  circuit: scene.circuit,
  vehicle: scene.vehicle,
  laps: 3,
  seed: 7,
  rate: RATE,
  pauses: [],
  restarts: [],
  ...more
})

/** A lap with a pause in it, a restart in the middle of the second, and two laps. */
export const pausedAndRestarted: Partial<FramesOptions> = {
  laps: 2,
  pauses: [{ at: 40, seconds: 20 }],
  restarts: [85]
}

export interface Emulated {
  readonly events: ReadonlyArray<SimulatorEvent>
  /** The laps that were driven to their end, in order, by session. */
  readonly driven: ReadonlyArray<ReadonlyArray<DrivenLap>>
  readonly frames: ReadonlyArray<Frame>
  /** The datagrams that reached the driver, with their times. */
  readonly arrived: ReadonlyArray<{ readonly bytes: Buffer; readonly arrival: number }>
}

/** The service, as the emulator sees it. */
const CLIENT: Client = { address: "127.0.0.1", port: 50_000 }
/** Frames continue for this long after the last lap, s: lap times may come late. */
const AFTER_S = 4
const NO_FAULTS: Faults = { loss: 0, reorder: 0, duplicate: 0, garbage: 0 }

/**
 * Drives until the last lap of the last session is over, and some seconds more. `interpreter` gets a function that sends to the
 * emulator; a conversation is ticked once a second.
 */
export const emulate = (options: {
  readonly emulator: Emulator
  readonly interpreter: (send: (bytes: Uint8Array) => void) => Interpreter | Conversation
  readonly frames?: Partial<FramesOptions>
  readonly faults?: Partial<Faults>
}): Emulated => {
  const settings = framesOptions(options.frames)
  const source = new Frames(settings)
  const { emulator } = options
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  const driven: Array<Array<DrivenLap>> = [[]]
  const frames: Array<Frame> = []
  const arrived: Array<{ readonly bytes: Buffer; readonly arrival: number }> = []
  let arrival = 100
  const hear: Send = (bytes) => {
    const copy = Buffer.from(bytes)
    arrived.push({ bytes: copy, arrival })
    interpreter.datagram(copy, arrival, buffer)
    events.push(...buffer.take())
  }
  const send = spoil({ ...NO_FAULTS, ...options.faults }, 3)(hear)
  const interpreter = options.interpreter((bytes) => emulator.heard?.(Buffer.from(bytes), CLIENT, send))
  let over = 0
  for (let n = 0; over < AFTER_S * settings.rate; n++) {
    const frame = source.next()
    arrival = 100 + frame.upTime
    if ("tick" in interpreter && n % settings.rate === 0) interpreter.tick(arrival)
    emulator.frame(frame, send)
    if (frame.session >= driven.length) driven.push([])
    if (frame.lapEnded) driven[frame.session]!.push(frame.lastLap!)
    frames.push(frame)
    over = frame.finished && frame.session === settings.restarts.length ? over + 1 : 0
  }
  return { events, driven, frames, arrived }
}
