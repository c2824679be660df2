/**
 * One link to LFS: the messages over TCP and UDP, and the replies to them (sheet lfs-insim-outgauge-outsim, sections 1, 2
 * and 6). Plain, no I/O.
 *
 * VER answers ISI. Then the driver requests the state of the race, and OutGauge and OutSim. With our UDP
 * port in ISI, LFS sends all frequent packets (MCI, OutGauge, OutSim) to that port; their lengths distinguish them.
 */
import type { Interpreter } from "../../udp/Protocol.ts"
import type { LinkOptions } from "../../Driver.ts"
import type { EventBuffer } from "../../EventBuffer.ts"
import { outGauge, outGaugeWithId } from "../outgauge/layout.ts"
import { mayBeInSim, packetIn, shortOf } from "./decode.ts"
import { carsIn } from "./decodeCars.ts"
import { isOutSim } from "./decodeOutSim.ts"
import { heard, InitFlag, INSIM_VERSION, MCI, sent, Small, Tiny, UNIT } from "./insim.ts"
import { read } from "./options.ts"
import { PacketStream } from "./PacketStream.ts"
import { Race } from "./Race.ts"

const isOutGauge = ({ length }: Buffer) => length === outGauge.size || length === outGaugeWithId.size

/** LFS moves its cars every 10 ms; OutGauge can be requested every 10 to 100 ms. */
const STEP_MS = 10
const MAX_STEPS = 10
/** A VER packet of a version that counts bytes where version 9 counts units. */
const OLD_VERSION_HEAD = Buffer.from([heard.VER.size, heard.VER.type])

export type LinkState =
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Answered" }
  /** The peer is LFS and refuses us. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** The peer does not speak InSim, or no longer does. */
  | { readonly _tag: "Broken"; readonly reason: string }

const tooOld: LinkState = {
  _tag: "Refused",
  reason: `it speaks an InSim older than version ${INSIM_VERSION}: LFS 0.7A or newer is needed`
}

export class LfsConversation implements Interpreter {
  readonly #options: LinkOptions
  readonly #send: (bytes: Buffer) => void
  readonly #stream = new PacketStream()
  readonly #race = new Race()
  #state: LinkState = { _tag: "Waiting" }
  #simulator = "Live for Speed"

  /** `send`: over TCP. */
  constructor(options: LinkOptions, send: (bytes: Buffer) => void) {
    this.#options = options
    this.#send = send
  }

  state(): LinkState {
    return this.#state
  }

  simulator(): string {
    return this.#simulator
  }

  /** Sends the first message, once TCP is open and `udpPort` is bound. */
  greet(udpPort: number): void {
    const { appName, options } = this.#options
    this.#send(
      sent.ISI.encode({
        // It requests a VER packet.
        ReqI: 1,
        UDPPort: udpPort,
        Flags: InitFlag.local | InitFlag.cars | InitFlag.hotLapValidity,
        InSimVer: INSIM_VERSION,
        Interval: this.#steps() * STEP_MS,
        Admin: read(options).adminPassword ?? "",
        IName: appName
      })
    )
  }

  sendDisconnect(): void {
    this.#send(heard.TINY.encode({ SubT: Tiny.close }))
  }

  /** Takes the bytes that TCP brought. */
  stream(chunk: Buffer, arrival: number, events: EventBuffer): void {
    const packets = this.#stream.push(chunk)
    for (const packet of packets ?? []) {
      if (this.#state._tag === "Waiting" && !mayBeInSim(packet)) return this.#refuseHandshake(packet)
      this.#packet(packet, arrival, events)
    }
    if (packets === undefined) this.#state = { _tag: "Broken", reason: "a packet of no length" }
    // The first bytes of another program may announce a packet that never becomes complete.
    else if (this.#state._tag === "Waiting" && !mayBeInSim(this.#stream.rest)) {
      this.#refuseHandshake(this.#stream.rest)
    }
  }

  /** The output of LFS to which a datagram belongs. */
  kindOf(bytes: Buffer): string {
    if (isOutSim(bytes)) return "OutSim"
    return isOutGauge(bytes) ? "OutGauge" : "InSim"
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    if (isOutSim(bytes)) {
      const refusal = this.#race.motion(bytes)
      if (refusal !== undefined) events.refuse(refusal)
    } else if (isOutGauge(bytes)) this.#race.gauge(bytes, arrival, events)
    else if (bytes[1] === MCI.type && bytes.length === bytes[0]! * UNIT) this.#cars(bytes, events)
    else events.refuse(`a datagram of ${bytes.length} bytes that is neither OutGauge, OutSim nor MCI`)
  }

  end(events: EventBuffer): void {
    this.#race.end(events)
  }

  #packet(bytes: Buffer, arrival: number, events: EventBuffer): void {
    if (bytes[1] === MCI.type) return this.#cars(bytes, events)
    const name = packetIn(bytes)
    if (name === undefined) return
    const refusal = shortOf(name, bytes)
    if (refusal !== undefined) return events.refuse(refusal)
    if (name === "VER") this.#versionReported(bytes)
    // The same four bytes answer a keep-alive.
    else if (name === "TINY" && heard.TINY.read.SubT(bytes) === Tiny.none) {
      this.#send(heard.TINY.encode({ SubT: Tiny.none }))
    } else this.#race.packet(name, bytes, arrival, events)
  }

  #cars(bytes: Buffer, events: EventBuffer): void {
    const cars = carsIn(bytes)
    if (typeof cars === "string") events.refuse(cars)
    else this.#race.cars(bytes, cars)
  }

  #versionReported(bytes: Buffer): void {
    if (this.#state._tag !== "Waiting") return
    const { read, readText } = heard.VER
    this.#simulator = `Live for Speed ${readText.Version(bytes)} ${readText.Product(bytes)}`
    if (read.InSimVer(bytes) < INSIM_VERSION) {
      this.#state = tooOld
      return
    }
    this.#state = { _tag: "Answered" }
    for (const SubT of [Tiny.state, Tiny.connections, Tiny.players, Tiny.raceStart]) {
      this.#send(heard.TINY.encode({ ReqI: 1, SubT }))
    }
    for (const SubT of [Small.outGauge, Small.outSim]) {
      this.#send(sent.SMALL.encode({ SubT, UVal: this.#steps() }))
    }
  }

  #refuseHandshake(bytes: Buffer): void {
    this.#state = bytes.subarray(0, 2).equals(OLD_VERSION_HEAD)
      ? tooOld
      : { _tag: "Broken", reason: "its first bytes are not an IS_VER packet" }
  }

  /** The steps of LFS between two packets, for at least the rate that the user asked for, where LFS can send it. */
  #steps(): number {
    const steps = Math.floor(1000 / STEP_MS / this.#options.rate)
    return Math.min(MAX_STEPS, Math.max(1, steps))
  }
}
