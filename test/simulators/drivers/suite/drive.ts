/** Drives an emulator's car to a driver's state machine: frames become datagrams, and datagrams events. No socket, no clock. */
import type { Frame, Send } from "../../../../simulator/emulators/Emulator.ts"
import { Frames, type FramesOptions } from "../../../../simulator/emulators/frames.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { framesOptions, scene } from "../emulating.ts"
import { type Kind, type Out, portOf } from "./kind.ts"

export interface Driven {
  readonly events: ReadonlyArray<SimulatorEvent>
  /** The laps that were driven to their end, in order. */
  readonly laps: ReadonlyArray<DrivenLap>
  readonly frames: ReadonlyArray<Frame>
  /** The bytes that came over TCP before the driver's first event. */
  readonly opening: ReadonlyArray<Buffer>
  /** All that came over TCP, and all that the driver sent. */
  readonly chunks: ReadonlyArray<Buffer>
  readonly sent: ReadonlyArray<Buffer>
  /** The datagrams that reached the driver. */
  readonly datagrams: ReadonlyArray<Buffer>
}

/** The first frame arrives then, s. */
export const BEGIN_S = 100
/** Frames continue for this long after the last lap, s: lap times may come late. */
const AFTER_S = 4

/** Drives until the last lap is over, and some seconds more, over one link. */
export const drive = (kind: Kind, options: Partial<FramesOptions> = {}): Driven => {
  const settings = framesOptions(options)
  const source = new Frames(settings)
  const where = { ...scene, circuit: settings.circuit, vehicle: settings.vehicle }
  const game = kind.game(where)
  const buffer = new EventBuffer()
  const events: Array<SimulatorEvent> = []
  const laps: Array<DrivenLap> = []
  const frames: Array<Frame> = []
  const opening: Array<Buffer> = []
  const chunks: Array<Buffer> = []
  const datagrams: Array<Buffer> = []
  let arrival = BEGIN_S
  const datagram: Send = (bytes, to) => {
    if (to !== undefined && to.port !== portOf(0)) return
    const copy = Buffer.from(bytes)
    if (reader.recognises?.(copy) === false) return
    datagrams.push(copy)
    reader.datagram(copy, arrival, buffer)
    events.push(...buffer.take())
  }
  const out: Out = {
    datagram,
    stream: (bytes) => {
      const chunk = Buffer.from(bytes)
      if (events.length === 0) opening.push(chunk)
      chunks.push(chunk)
      reader.stream?.(Buffer.from(chunk), arrival, buffer)
      events.push(...buffer.take())
    }
  }
  const sent: Array<Buffer> = []
  let answered = 0
  const reader = kind.open(where, (bytes) => sent.push(Buffer.from(bytes)))
  const answer = () => {
    for (const end = sent.length; answered < end; answered++) game.heard(sent[answered]!, 0, out)
  }
  for (let n = 0, over = 0; over < AFTER_S * settings.rate; n++) {
    const frame = source.next()
    arrival = BEGIN_S + frame.upTime
    if (n % settings.rate === 0) reader.tick?.(arrival)
    answer()
    game.frame(frame, out)
    answer()
    if (frame.lapEnded) laps.push(frame.lastLap!)
    frames.push(frame)
    if (frame.finished) over++
  }
  reader.end?.(buffer)
  events.push(...buffer.take())
  return { events, laps, frames, opening, chunks, sent, datagrams }
}
