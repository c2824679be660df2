/** The datagrams of a game, written by the emulator's tables (which the golden bytes prove), and the events that they give. */
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { F1Packet } from "../../../../simulator/emulators/f1/Packet.ts"
import { F1Interpreter } from "../../../../src/simulators/drivers/f1/F1Interpreter.ts"
import { type F1Format, layoutOf, type PacketName } from "../../../../src/simulators/drivers/f1/layout.ts"
import type { FieldValues } from "../../../../src/simulators/packets/Struct.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { eventsOf } from "../suite/events.ts"

export const PLAYER = 19

interface Content {
  /** The values of the element, or of the packet's head. */
  readonly values?: FieldValues
  readonly header?: FieldValues
  /** The car or lap to which the values belong. */
  readonly element?: number
}

/** A game that sends the values of a test, and the interpreter that reads it. */
export class Game {
  readonly format: F1Format
  readonly #buffer = new EventBuffer()
  readonly events: Array<SimulatorEvent> = []
  uid = 7
  /** s of the session; frames are 60 a second. */
  time = 10
  frame = 600
  overall = 600
  player = PLAYER
  /** s; goes with the session's time, unless it is moved. */
  arrival = 1000
  lap: FieldValues = {
    currentLapNum: 1,
    driverStatus: 4,
    resultStatus: 2,
    lapDistance: 100,
    currentLapTimeInMS: 0
  }
  readonly #interpreter: F1Interpreter

  constructor(format: F1Format = 2025, interpreter = new F1Interpreter()) {
    this.format = format
    this.#interpreter = interpreter
  }

  get simulator(): string {
    return this.#interpreter.simulator()
  }

  packet(name: PacketName, { element, header, values = {} }: Content = {}): Buffer {
    const layout = layoutOf(this.format)!.packets[name]
    const packet = new F1Packet(layout)
    packet.header({
      packetFormat: this.format,
      gameYear: this.format % 100,
      packetVersion: 1,
      packetId: layout.id,
      sessionUID: BigInt(this.uid) + (this.uid === 0 ? 0n : 1n << 32n),
      sessionTime: this.time,
      frameIdentifier: this.frame,
      overallFrameIdentifier: this.overall,
      playerCarIndex: this.player,
      secondaryPlayerCarIndex: 255,
      ...header
    })
    if (element === undefined) packet.head(values)
    else packet.element(element, values)
    return packet.bytes
  }

  deliver(...datagrams: ReadonlyArray<Buffer>): void {
    for (const bytes of datagrams) {
      this.#interpreter.datagram(bytes, this.arrival, this.#buffer)
      this.events.push(...this.#buffer.take())
    }
  }

  send(name: PacketName, content: Content = {}): void {
    this.deliver(this.packet(name, content))
  }

  names(values: FieldValues = { teamId: 1, name: "Zoë Ferrier" }, track = 7): void {
    this.send("session", { values: { trackId: track, trackLength: 5891 } })
    this.send("participants", { element: PLAYER, values })
  }

  /** The packets of the frame that the game is in. */
  parts(): { readonly motion: Buffer; readonly lapData: Buffer; readonly telemetry: Buffer } {
    const x = this.frame
    // A spectator has no car.
    const of = (name: PacketName, values: FieldValues) => this.packet(name, { element: PLAYER, values })
    return {
      motion: of("motion", { worldPositionX: x, worldPositionY: 2, worldPositionZ: 3 }),
      lapData: of("lapData", this.lap),
      telemetry: of("carTelemetry", {
        speed: 288,
        throttle: 0.75,
        steer: -0.25,
        brake: 0.5,
        gear: 7,
        engineRPM: 11_000
      })
    }
  }

  /** A frame, then on to the next. */
  tick(lap: FieldValues = {}, frames = 1): void {
    this.lap = { ...this.lap, ...lap }
    const { lapData, motion, telemetry } = this.parts()
    this.deliver(motion, lapData, telemetry)
    this.advance(frames)
  }

  advance(frames = 1): void {
    this.frame += frames
    this.overall += frames
    this.time = Math.round(this.time * 60 + frames) / 60
    this.arrival += frames / 60
    const now = Number(this.lap["currentLapTimeInMS"])
    this.lap = { ...this.lap, currentLapTimeInMS: now + (frames * 1000) / 60 }
  }

  /** Drives on for `seconds`, at 60 Hz. */
  drive(seconds: number, lap: FieldValues = {}): void {
    this.lap = { ...this.lap, ...lap }
    for (let n = 0; n < Math.round(seconds * 60); n++) this.tick()
  }

  /** The link ends. */
  end(): void {
    this.#interpreter.end(this.#buffer)
    this.events.push(...this.#buffer.take())
  }

  /** Over the line: the counter, the time and the lap's own clock in one packet. */
  cross(lastLapMs: number, lap: FieldValues = {}): void {
    this.tick({
      currentLapNum: Number(this.lap["currentLapNum"]) + 1,
      lastLapTimeInMS: lastLapMs,
      currentLapTimeInMS: 5,
      sector1TimeMSPart: 0,
      sector1TimeMinutesPart: 0,
      sector2TimeMSPart: 0,
      sector2TimeMinutesPart: 0,
      currentLapInvalid: 0,
      ...lap
    })
  }

  /** A SessionHistory of the player in which the lap has these values. */
  history(lap: number, values: FieldValues, header: FieldValues = {}): void {
    const packet = new F1Packet(layoutOf(this.format)!.packets.sessionHistory)
    packet.bytes.set(
      this.packet("sessionHistory", { values: { carIdx: this.player, numLaps: lap + 1 }, header })
    )
    packet.element(lap - 1, values)
    this.deliver(packet.bytes)
  }

  event(code: string, header: FieldValues = {}): void {
    this.send("event", { values: { code }, header })
  }
}

export const laps = (events: ReadonlyArray<SimulatorEvent>) => eventsOf(events, "LapCompleted")

export const points = (events: ReadonlyArray<SimulatorEvent>): number =>
  eventsOf(events, "Points").reduce((sum, { batch }) => sum + batch.length, 0)

export const missing = (events: ReadonlyArray<SimulatorEvent>): number =>
  eventsOf(events, "Points").reduce((sum, { missing }) => sum + missing, 0)

/** A game whose session runs: it started with the end of the link of its first frame. */
export const running = (format: F1Format = 2025) => {
  const game = new Game(format)
  game.names()
  game.tick()
  game.end()
  game.events.length = 0
  return game
}
