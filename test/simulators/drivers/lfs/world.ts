/** A race of Live for Speed, sent packet by packet, and the events of the driver's state machine. */
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import * as outputs from "../../../../simulator/emulators/lfs/outputs.ts"
import * as packets from "../../../../simulator/emulators/lfs/packets.ts"
import { LfsConversation } from "../../../../src/simulators/drivers/lfs/LfsConversation.ts"
import type { LinkOptions } from "../../../../src/simulators/Driver.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { linkOptions } from "../interpreting.ts"

export const OURS = 7
export const IN_GAME = 1
export const REPLAY = 2
export const FRONT_END = 256

/** A frame with the car's place and state; these tests read no other values of it. */
const frameOf = (time: number, more: Partial<Frame>): Frame =>
  ({
    sessionTime: time,
    speed: 180,
    rpm: 6000,
    gear: 3,
    throttle: 1,
    brake: 0,
    x: 0,
    y: 0,
    z: 0,
    heading: 0,
    // It goes along x.
    carValue: (channel: string) => (channel === "velocity_x" ? (more.speed ?? 180) / 3.6 : 0),
    ...more
  }) as Frame

export class LfsWorld {
  readonly sent: Array<Buffer> = []
  readonly events: Array<SimulatorEvent> = []
  readonly conversation: LfsConversation
  readonly #buffer = new EventBuffer()
  arrival = 100

  constructor(options: Partial<LinkOptions> = {}) {
    this.conversation = new LfsConversation(linkOptions(options), (bytes) => this.sent.push(bytes))
  }

  tcp(...all: ReadonlyArray<Buffer>): this {
    for (const bytes of all) this.conversation.stream(bytes, this.arrival, this.#buffer)
    return this.#take()
  }

  udp(...all: ReadonlyArray<Buffer>): this {
    for (const bytes of all) this.conversation.datagram(bytes, this.arrival, this.#buffer)
    return this.#take()
  }

  wait(seconds: number): this {
    this.arrival += seconds
    return this
  }

  /** `race`: 0 none, as in practice; 1 a race; 2 qualifying. */
  state(flags: number, track = "BL1", viewed = OURS, race = 1): this {
    return this.tcp(packets.state(0, { flags, track, viewed, players: 1, race, laps: 0 }))
  }

  player(plid = OURS, more: Partial<packets.Entry> = {}): this {
    const entry = { plid, connection: 0, kind: 0, name: "Ana", car: "XFG", ...more }
    return this.tcp(packets.player(0, 1, entry))
  }

  /** In a race, with our player known. */
  begun(): this {
    return this.tcp(packets.version(1)).state(IN_GAME).player()
  }

  sim(time: number, more: Partial<Frame> = {}): this {
    return this.udp(outputs.outSim(frameOf(time, more)))
  }

  gauge(time: number, plid = OURS, more: Partial<Frame> = {}): this {
    return this.udp(outputs.outGauge(frameOf(time, more), plid, "XFG"))
  }

  car(lap: number, more: Partial<packets.Position> = {}): this {
    return this.udp(packets.cars([{ plid: OURS, lap, x: 0, y: 0, z: 0, speed: 0, heading: 0, ...more }]))
  }

  /** `points` points, 10 ms apart, from this time of the race. */
  drive(from: number, points: number): this {
    for (let n = 0; n < points; n++) {
      const time = from + n / 100
      this.wait(0.01).sim(time).gauge(time)
    }
    return this
  }

  /** The link ends. */
  end(): this {
    this.conversation.end(this.#buffer)
    return this.#take()
  }

  #take(): this {
    this.events.push(...this.#buffer.take())
    return this
  }
}
