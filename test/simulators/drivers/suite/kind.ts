/** A game as the tests of all drivers see it: its emulator, the driver's side of a link, and what must be recorded. */
import type { Emulator, Frame, Scene, Send } from "../../../../simulator/emulators/Emulator.ts"
import { wheels } from "../../../../simulator/model/chassis.ts"
import { ABSENT } from "../../../../src/domain/RowBatch.ts"
import type { Channel } from "../../../../src/domain/pointChannels.ts"
import type { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import type { Conversation, Interpreter, PushProtocol } from "../../../../src/simulators/udp/Protocol.ts"
import { linkOptions } from "../interpreting.ts"

/** The service's side of one link. */
export interface Reader extends Interpreter {
  /** Reads bytes that arrived over TCP. */
  readonly stream?: (chunk: Buffer, arrival: number, events: EventBuffer) => void
  readonly tick?: (now: number) => void
  readonly sendDisconnect?: () => void
  /** False for datagrams that a port's listener does not give to this reader. */
  readonly recognises?: (bytes: Buffer) => boolean
  /** The kind of a datagram, if a game sends each kind from another socket. */
  readonly kindOf?: (bytes: Buffer) => string
}

/** The game's side; links to it open and close. */
export interface Game {
  readonly frame: (frame: Frame, out: Out) => void
  readonly heard: (bytes: Buffer, link: number, out: Out) => void
}

export interface Out {
  readonly datagram: Send
  readonly stream: (bytes: Buffer, link: number) => void
}

/** A value computed from a frame and the one before it, or "absent" for a channel that has no value during the drive. */
export type Value = ((frame: Frame, before: Frame | undefined) => number) | "absent"

/** Channels of one value, by their names, which a space separates. */
export const constant = (value: number | "absent", ...lists: ReadonlyArray<string>) =>
  Object.fromEntries(
    lists
      .flatMap((names) => names.split(" "))
      .map((name): [string, Value] => [name, value === "absent" ? value : () => value])
  )

/** A channel of each wheel, computed from a frame. */
export const onWheels = (name: string, value: (frame: Frame, wheel: string) => number) =>
  Object.fromEntries(
    wheels.map((wheel): [string, Value] => [`${name}_${wheel}`, (frame) => value(frame, wheel)])
  )

/** The time of a sector, once the car is beyond it. */
export const sectorTime =
  (sector: 0 | 1): Value =>
  (frame) =>
    frame.sector > sector ? frame.lap.sectors[sector] : ABSENT

/** The place of the frame before: its packet comes behind the one that leads the points. */
export const placeBefore = {
  position_x: (_, before) => before?.x ?? ABSENT,
  position_y: (_, before) => before?.y ?? ABSENT,
  position_z: (_, before) => before?.z ?? ABSENT
} satisfies Readonly<Record<string, Value>>

/** The values that a driver records for two laps of its emulator. */
export interface Expected {
  readonly circuit: string
  readonly vehicle: string
  /** Other fields with which the session starts. */
  readonly started?: { readonly driver?: string; readonly circuitLength?: number }
  /** The game's rate, Hz, if the driver depends on it; 20 otherwise. */
  readonly rate?: number
  /** Channels of a point that the game does not report. */
  readonly absent?: ReadonlyArray<Channel>
  /** The number of channels beyond points. */
  readonly channels: number
  /** Channels that the drive does not have under this name, or that the game reports differently; of a point, too. */
  readonly values?: Readonly<Record<string, Value>>
  /** Tolerances of channels, without the wheel; a thousandth of the value and of 1 otherwise. */
  readonly within?: Readonly<Record<string, number>>
  /** Channels that only come once the driver has learned something of the car's path: up to a third of their rows may be absent. */
  readonly learned?: ReadonlyArray<string>
  /** The time of the first frame by the game's own clock, s, if the driver keeps it; that of its arrival otherwise. */
  readonly begin?: number
  /** Points that the drive's first and last frames may lack, or have in addition. */
  readonly around?: number
  /** Datagrams that must be refused, each with a part of the reason; made from one that the emulator sent. */
  readonly refused: ReadonlyArray<readonly [reason: string, damaged: (good: Buffer) => Buffer]>
}

export interface Kind {
  readonly protocol: string
  readonly game: (scene: Scene) => Game
  readonly open: (scene: Scene, send: (bytes: Uint8Array) => void) => Reader
  /** The link is lost after a silence of this long, s. */
  readonly silentAfter: number
  /** The precision of the lap times that the game reports, s. */
  readonly precise: number
  /** Whether the game counts laps itself; otherwise the service counts them from the connect on. */
  readonly counts: boolean
  /** Whether its times are those of arrival. */
  readonly clockless: boolean
  /** Whether the game reports all sectors, or places by which its driver cuts them at thirds, as the model does. */
  readonly sectors: boolean
  readonly expected: Expected
}

/** The service's port of its nth link. */
export const portOf = (link: number): number => 50_000 + link

const LISTENER_SILENT_AFTER_S = 60
const MS = 0.0011

/** The emulator of a game that only sends and receives datagrams. */
export const overUdp = (emulator: Emulator): Game => ({
  frame: (frame, { datagram }) => emulator.frame(frame, datagram),
  heard: (bytes, link, { datagram }) =>
    emulator.heard?.(bytes, { address: "127.0.0.1", port: portOf(link) }, datagram)
})

/** A game that sends by itself. */
export const pushed = (
  protocol: string,
  emulator: (scene: Scene) => Emulator,
  { interpreter, kindOf = () => "", recognises }: PushProtocol,
  expected: Expected,
  more: Partial<Kind> = {}
): Kind => ({
  protocol,
  game: (scene) => overUdp(emulator(scene)),
  open: (scene) => {
    const reader = interpreter(linkOptions({ options: { startLine: scene.circuit.startLine } }))
    return {
      recognises,
      kindOf,
      datagram: (bytes, arrival, events) => reader.datagram(bytes, arrival, events),
      simulator: () => reader.simulator(),
      silence: (seconds, events) => reader.silence?.(seconds, events),
      end: (events) => reader.end?.(events)
    }
  },
  silentAfter: LISTENER_SILENT_AFTER_S,
  precise: MS,
  counts: true,
  clockless: false,
  sectors: false,
  expected,
  ...more
})

/** A game that answers requests. */
export const askedGame = (
  protocol: string,
  emulator: (scene: Scene) => Emulator,
  open: (send: (bytes: Uint8Array) => void) => Conversation,
  silentAfter: number,
  expected: Expected,
  more: Partial<Kind> = {}
): Kind => ({
  protocol,
  game: (scene) => overUdp(emulator(scene)),
  open: (_, send) => open(send),
  silentAfter,
  precise: MS,
  counts: true,
  clockless: false,
  sectors: false,
  expected,
  ...more
})
