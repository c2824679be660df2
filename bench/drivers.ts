/**
 * The cost of a datagram for each driver: the datagrams of its emulator go through its state machine, in this process,
 * and their events are taken after each, as with a game at 60 Hz. Compared with a loop by hand that reads as many
 * floats of 32 bits from the same bytes, into a new array for each datagram. Every round must give as many values as
 * the first.
 *
 *   npm run bench -- drivers        (FRAMES, ROUNDS, RUNS by environment)
 */
import { accEmulator } from "../simulator/emulators/acc/AccEmulator.ts"
import { assettoCorsaEmulator } from "../simulator/emulators/assetto-corsa/AssettoCorsaEmulator.ts"
import { beamNgEmulator } from "../simulator/emulators/beamng/BeamNgEmulator.ts"
import { DirtRally2Emulator } from "../simulator/emulators/dirt-rally-2/emulator.ts"
import { EaWrcEmulator } from "../simulator/emulators/ea-wrc/emulator.ts"
import type { Emulator, Frame, Scene, Send } from "../simulator/emulators/Emulator.ts"
import { F1Emulator } from "../simulator/emulators/f1/F1Emulator.ts"
import { DataOut } from "../simulator/emulators/forza/dataOut.ts"
import { Frames } from "../simulator/emulators/frames.ts"
import { emulator as gt7Emulator } from "../simulator/emulators/gt7/emulator.ts"
import { LfsGame } from "../simulator/emulators/lfs/LfsGame.ts"
import { ProjectCars2Emulator } from "../simulator/emulators/project-cars-2/emulator.ts"
import { PmrEmulator } from "../simulator/emulators/project-motor-racing/emulator.ts"
import { RbrEmulator } from "../simulator/emulators/richard-burns-rally/emulator.ts"
import { circuitNamed } from "../simulator/model/Circuit.ts"
import { vehicles } from "../simulator/model/vehicles.ts"
import type { AskedProtocol, Interpreter, PushProtocol } from "../src/simulators/udp/Protocol.ts"
import type { LinkOptions } from "../src/simulators/Driver.ts"
import { protocol as acc } from "../src/simulators/drivers/acc/AccDriver.ts"
import { protocol as assettoCorsa } from "../src/simulators/drivers/assetto-corsa/AssettoCorsaDriver.ts"
import { protocol as beamNg } from "../src/simulators/drivers/beamng/BeamNgDriver.ts"
import { protocol as dirtRally } from "../src/simulators/drivers/dirt-rally/DirtRallyDriver.ts"
import { protocol as dirtRally2 } from "../src/simulators/drivers/dirt-rally-2/DirtRally2Driver.ts"
import { protocol as eaWrc } from "../src/simulators/drivers/ea-wrc/EaWrcDriver.ts"
import { protocol as f1 } from "../src/simulators/drivers/f1/F1Driver.ts"
import { protocol as forza } from "../src/simulators/drivers/forza/ForzaDriver.ts"
import { protocol as gt7 } from "../src/simulators/drivers/gt7/Gt7Driver.ts"
import { LfsConversation } from "../src/simulators/drivers/lfs/LfsConversation.ts"
import { protocol as projectCars2 } from "../src/simulators/drivers/project-cars-2/ProjectCars2Driver.ts"
import { protocol as projectMotorRacing } from "../src/simulators/drivers/project-motor-racing/PmrDriver.ts"
import { protocol as richardBurnsRally } from "../src/simulators/drivers/richard-burns-rally/RbrDriver.ts"
import { EventBuffer } from "../src/simulators/EventBuffer.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { isPoints, isSamples } from "../test/simulators/rows.ts"

const FRAMES = setting("FRAMES", scaled(3000, 300))
/** Rounds of a run; the engine compiles in the first half, and the second is measured. */
const ROUNDS = setting("ROUNDS", scaled(10, 2))
const RATE = 60
const FIRST_S = 100

const scene: Scene = { circuit: circuitNamed("Hollin Moor")!, vehicle: vehicles[0]!, driver: "bench" }
const link: LinkOptions = {
  host: "127.0.0.1",
  port: 1,
  appName: "bench",
  rate: RATE,
  memory: new Map(),
  options: { startLine: scene.circuit.startLine, password: "asd" }
}

type Hear = Interpreter["datagram"]

/** The service's side of one link. */
interface Reader {
  readonly datagram: Hear
  /** Takes bytes that came over TCP. */
  readonly stream?: Hear
  readonly tick?: (now: number) => void
}

interface Driven {
  readonly name: string
  readonly open: (send: (bytes: Uint8Array) => void) => Reader
  /** The game: its actions at each frame, and its reaction to what it is sent. */
  readonly game: (
    datagram: Send,
    stream: Send
  ) => { readonly frame: (frame: Frame) => void; readonly heard: (bytes: Uint8Array) => void }
}

const overUdp =
  (emulator: Emulator): Driven["game"] =>
  (datagram) => ({
    frame: (frame) => emulator.frame(frame, datagram),
    heard: (bytes) => emulator.heard?.(Buffer.from(bytes), { address: link.host, port: link.port }, datagram)
  })

const pushed = (name: string, emulator: Emulator, { interpreter }: PushProtocol): Driven => ({
  name,
  open: () => interpreter(link),
  game: overUdp(emulator)
})

const asked = (name: string, emulator: Emulator, { conversation }: AskedProtocol): Driven => ({
  name,
  open: (send) => {
    const game = conversation(link)
    game.open(send)
    return game
  },
  game: overUdp(emulator)
})

const dataOut = new DataOut("motorsport", scene)

const lfs: Driven = {
  name: "lfs",
  open: (send) => {
    const conversation = new LfsConversation(link, send)
    conversation.greet(link.port)
    return conversation
  },
  game: (udp, tcp) => {
    const game = new LfsGame(scene, { outSim: "full" })
    const client = game.connect({ tcp, udp: (bytes) => udp(bytes), close: () => undefined })
    return {
      frame: (frame) => game.frame(frame),
      heard: (bytes) => client.heard(Buffer.from(bytes))
    }
  }
}

const all: ReadonlyArray<Driven> = [
  pushed("forza", { frame: (frame, send) => send(dataOut.encode(frame)) }, forza),
  pushed("f1 (2025)", new F1Emulator(scene, 2025), f1),
  asked("gt7", gt7Emulator(scene), gt7),
  asked("assetto-corsa", assettoCorsaEmulator(scene), assettoCorsa),
  asked("acc", accEmulator(scene), acc),
  lfs,
  pushed("project-cars-2", new ProjectCars2Emulator(scene), projectCars2),
  pushed("project-motor-racing", new PmrEmulator(scene), projectMotorRacing),
  pushed("richard-burns-rally", new RbrEmulator(scene), richardBurnsRally),
  pushed("dirt-rally", new DirtRally2Emulator(scene, "rally of 2015"), dirtRally),
  pushed("dirt-rally-2", new DirtRally2Emulator(scene), dirtRally2),
  pushed("ea-wrc", new EaWrcEmulator(scene), eaWrc),
  pushed("beamng", beamNgEmulator(), beamNg)
]

interface Heard {
  readonly bytes: Buffer
  readonly arrival: number
  readonly by: "datagram" | "stream"
}

/** Everything that reached the driver during a drive, in order. */
const drive = ({ game, open }: Driven): ReadonlyArray<Heard> => {
  const frames = new Frames({ ...scene, laps: 0, seed: 1, rate: RATE, pauses: [], restarts: [] })
  const heard: Array<Heard> = []
  const events = new EventBuffer()
  let arrival = FIRST_S
  const hear =
    (by: Heard["by"]): Send =>
    (sent) => {
      const bytes = Buffer.from(sent)
      heard.push({ bytes, arrival, by })
      reader[by]?.(bytes, arrival, events)
    }
  // Bytes sent during construction come before a reader exists to answer.
  const sent: Array<Uint8Array> = []
  const reader = open((bytes) => sent.push(Buffer.from(bytes)))
  const { frame, heard: feed } = game(hear("datagram"), hear("stream"))
  for (let n = 0; n < FRAMES; n++) {
    const next = frames.next()
    arrival = FIRST_S + next.upTime
    if (n % RATE === 0) reader.tick?.(arrival)
    for (const bytes of sent.splice(0)) feed(bytes)
    frame(next)
  }
  return heard
}

/** Gives everything to a fresh reader: s of CPU, and the number of values that it reported. */
const play = ({ open }: Driven, heard: ReadonlyArray<Heard>) => {
  const reader = open(() => undefined)
  const events = new EventBuffer()
  let values = 0
  const before = process.cpuUsage()
  for (const { arrival, by, bytes } of heard) {
    reader[by]!(bytes, arrival, events)
    for (const event of events.take()) {
      if (isPoints(event) || isSamples(event)) values += event.batch.data.length
    }
  }
  const { system, user } = process.cpuUsage(before)
  return { microseconds: system + user, values }
}

/** Reads as many floats as a datagram reported, from its start, and again from there where it has fewer. */
const byHand = (heard: ReadonlyArray<Heard>, values: number) => {
  const each = Math.round(values / heard.length)
  let read = 0
  const before = process.cpuUsage()
  for (const { bytes } of heard) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const row = new Float64Array(each)
    let at = 0
    for (let i = 0; i < each; i++) {
      row[i] = view.getFloat32(at, true)
      at += 4
      if (at + 4 > bytes.length) at = 0
    }
    read += row.length
  }
  const { system, user } = process.cpuUsage(before)
  return { microseconds: system + user, values: read }
}

const COST = "us CPU a datagram"

const measured = (
  heard: ReadonlyArray<Heard>,
  once: () => { readonly microseconds: number; readonly values: number }
): Figures => {
  const { values } = once()
  const rounds = Array.from({ length: ROUNDS }, once)
  if (values === 0 || rounds.some((round) => round.values !== values))
    throw new Error("a round reported other values")
  const counted = rounds.slice(ROUNDS / 2)
  const microseconds = counted.reduce((sum, round) => sum + round.microseconds, 0) / counted.length
  return {
    [COST]: microseconds / heard.length,
    "ns CPU a value": (1000 * microseconds) / values,
    "values a datagram": values / heard.length
  }
}

const titleOf = (name: string) => `what a datagram of ${name} costs`

for (const driven of all.filter(({ name }) => wanted(titleOf(name)))) {
  const heard = drive(driven)
  const { values } = play(driven, heard)
  await compare({
    title: titleOf(driven.name),
    subjects: [
      { name: "by hand", run: async () => measured(heard, () => byHand(heard, values)) },
      { name: "driver", run: async () => measured(heard, () => play(driven, heard)) }
    ],
    ratios: [{ figure: COST, of: "driver", to: "by hand" }]
  })
}
