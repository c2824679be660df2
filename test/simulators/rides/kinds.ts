/** Every emulator with the state machine that reads it, and the properties of a link to it. */
import type { Emulator, Frame, Scene, Send } from "../../../simulator/emulators/Emulator.ts"
import { accEmulator } from "../../../simulator/emulators/acc/AccEmulator.ts"
import { assettoCorsaEmulator } from "../../../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import { beamNgEmulator } from "../../../simulator/emulators/beamng/BeamNgEmulator.ts"
import { DirtRally2Emulator } from "../../../simulator/emulators/dirt-rally-2/emulator.ts"
import { EaWrcEmulator } from "../../../simulator/emulators/ea-wrc/emulator.ts"
import { F1Emulator } from "../../../simulator/emulators/f1/F1Emulator.ts"
import type { F1Format } from "../../../src/simulators/drivers/f1/layout.ts"
import { DataOut, type Game as ForzaGame } from "../../../simulator/emulators/forza/dataOut.ts"
import { emulator as gt7Emulator } from "../../../simulator/emulators/gt7/emulator.ts"
import { LfsGame } from "../../../simulator/emulators/lfs/LfsGame.ts"
import { ProjectCars2Emulator } from "../../../simulator/emulators/project-cars-2/emulator.ts"
import { PmrEmulator } from "../../../simulator/emulators/project-motor-racing/emulator.ts"
import { RbrEmulator } from "../../../simulator/emulators/richard-burns-rally/emulator.ts"
import type { Conversation, Interpreter, PushProtocol } from "../../../src/simulators/udp/Protocol.ts"
import { AccInterpreter } from "../../../src/simulators/drivers/acc/AccInterpreter.ts"
import { AssettoCorsaInterpreter } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaInterpreter.ts"
import { protocol as beamNg } from "../../../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { protocol as dirtRally } from "../../../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { protocol as dirtRally2 } from "../../../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { protocol as eaWrc } from "../../../src/simulators/drivers/ea-wrc/EaWrcDriver.ts"
import { protocol as f1 } from "../../../src/simulators/drivers/f1/F1Driver.ts"
import { protocol as forza } from "../../../src/simulators/drivers/forza/ForzaDriver.ts"
import { protocol as gt7 } from "../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { LfsConversation } from "../../../src/simulators/drivers/lfs/LfsConversation.ts"
import { protocol as projectCars2 } from "../../../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { protocol as projectMotorRacing } from "../../../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import { protocol as richardBurnsRally } from "../../../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import type { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { linkOptions, opened } from "../drivers/interpreting.ts"

/** The service's side of one link. */
export interface Reader extends Interpreter {
  /** Reads bytes that arrived over TCP. */
  readonly stream?: (chunk: Buffer, arrival: number, events: EventBuffer) => void
  readonly tick?: (now: number) => void
  readonly sendDisconnect?: () => void
  /** False for datagrams that a port's listener does not give to this reader. */
  readonly recognises?: (bytes: Buffer) => boolean
  /** The kind of a datagram, where a game sends each kind from another socket. */
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

export interface Kind {
  readonly protocol: string
  readonly game: (scene: Scene) => Game
  readonly open: (scene: Scene, send: (bytes: Uint8Array) => void) => Reader
  /** The link is lost after a silence of this long, s. */
  readonly silentAfter: number
  /** The precision of the lap times that the game tells, s. */
  readonly precise: number
  /** Whether the game counts laps itself; otherwise the service counts them from the connect on. */
  readonly counts: boolean
  /** Whether its times are those of arrival. */
  readonly clockless: boolean
  /** Whether the game tells all sectors, or places by which its driver cuts them at thirds, as the model does. */
  readonly sectors: boolean
}

/** The service's port of its nth link. */
export const portOf = (link: number): number => 50_000 + link

const LISTENER_SILENT_AFTER_S = 60
const MS = 0.0011

const overUdp = (emulator: Emulator): Game => ({
  frame: (frame, { datagram }) => emulator.frame(frame, datagram),
  heard: (bytes, link, { datagram }) =>
    emulator.heard?.(bytes, { address: "127.0.0.1", port: portOf(link) }, datagram)
})

const pushed = (
  protocol: string,
  emulator: (scene: Scene) => Emulator,
  { interpreter, kindOf = () => "", recognises }: PushProtocol,
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
  ...more
})

const asked = (
  protocol: string,
  emulator: (scene: Scene) => Emulator,
  open: (send: (bytes: Uint8Array) => void) => Conversation,
  silentAfter: number,
  sectors = false
): Kind => ({
  protocol,
  game: (scene) => overUdp(emulator(scene)),
  open: (_, send) => open(send),
  silentAfter,
  precise: MS,
  counts: true,
  clockless: false,
  sectors
})

/** Over TCP and UDP: a link that greets becomes a client, to which the game answers over both. */
const lfsGame = (scene: Scene): Game => {
  const game = new LfsGame(scene, { outSim: "full" })
  const clients = new Map<number, ReturnType<LfsGame["connect"]>>()
  let out: Out
  return {
    frame: (frame, to) => {
      out = to
      game.frame(frame)
    },
    heard: (bytes, link, to) => {
      out = to
      const client =
        clients.get(link) ??
        game.connect({
          tcp: (chunk) => out.stream(Buffer.from(chunk), link),
          udp: (datagram) => out.datagram(datagram),
          close: () => undefined
        })
      clients.set(link, client)
      client.heard(bytes)
    }
  }
}

const UDP_PORT = 30_000

const lfs: Kind = {
  protocol: "lfs",
  game: lfsGame,
  open: (_, send) => {
    const conversation = new LfsConversation(linkOptions(), send)
    conversation.greet(UDP_PORT)
    return {
      datagram: (bytes, arrival, events) => conversation.datagram(bytes, arrival, events),
      stream: (chunk, arrival, events) => conversation.stream(chunk, arrival, events),
      kindOf: (bytes) => conversation.kindOf(bytes),
      simulator: () => conversation.simulator(),
      sendDisconnect: () => conversation.sendDisconnect()
    }
  },
  silentAfter: 70,
  precise: MS,
  counts: true,
  clockless: false,
  sectors: true
}

const forzaEmulator = (game: ForzaGame) => (scene: Scene) => {
  const dataOut = new DataOut(game, scene)
  return { frame: (frame: Frame, send: Send) => send(dataOut.encode(frame)) }
}

const forzaKind = (protocol: string, game: ForzaGame) => pushed(protocol, forzaEmulator(game), forza)

const f1Kind = (format: F1Format) =>
  pushed(`f1-${format}`, (scene) => new F1Emulator(scene, format), f1, { sectors: true })

export const kinds: ReadonlyArray<Kind> = [
  asked(
    "acc",
    (scene) => accEmulator(scene),
    (send) => opened(new AccInterpreter(linkOptions({ options: { password: "asd" } })), send),
    5,
    true
  ),
  asked(
    "assetto-corsa",
    assettoCorsaEmulator,
    (send) => opened(new AssettoCorsaInterpreter(linkOptions()), send),
    3,
    true
  ),
  asked("gt7", gt7Emulator, (send) => opened(gt7.conversation(linkOptions()), send), gt7.silentAfter),
  lfs,
  pushed("beamng", () => beamNgEmulator(), beamNg, { precise: 0.05, counts: false, clockless: true }),
  pushed("dirt-rally", (scene) => new DirtRally2Emulator(scene, "rally of 2015"), dirtRally, {
    counts: false,
    sectors: true
  }),
  pushed("dirt-rally-2", (scene) => new DirtRally2Emulator(scene), dirtRally2, {
    counts: false,
    sectors: true
  }),
  pushed("dirt-rally-2-rallycross", (scene) => new DirtRally2Emulator(scene, "rallycross"), dirtRally2, {
    sectors: true
  }),
  pushed("ea-wrc", (scene) => new EaWrcEmulator(scene), eaWrc, { counts: false, sectors: true }),
  f1Kind(2025),
  forzaKind("forza-motorsport", "motorsport"),
  forzaKind("forza-horizon", "horizon"),
  pushed("project-cars-2", (scene) => new ProjectCars2Emulator(scene), projectCars2, { sectors: true }),
  pushed("project-motor-racing", (scene) => new PmrEmulator(scene), projectMotorRacing),
  pushed("richard-burns-rally", (scene) => new RbrEmulator(scene), richardBurnsRally, {
    counts: false,
    sectors: true
  })
]

/** Games that send the content of one of the others in another format. */
export const variants: ReadonlyArray<Kind> = [
  f1Kind(2023),
  f1Kind(2024),
  f1Kind(2026),
  forzaKind("forza-motorsport-7", "motorsport7")
]
