/** One client of the emulated game: its InSim connection, and the ports for its datagrams. */
import {
  heard,
  INSIM_VERSION,
  InitFlag,
  sent,
  Small,
  Tiny
} from "../../../src/simulators/drivers/lfs/insim.ts"
import { PacketStream } from "../../../src/simulators/drivers/lfs/PacketStream.ts"
import type { Frame } from "../Emulator.ts"
import type { LfsGame } from "./LfsGame.ts"
import * as packets from "./packets.ts"

/** The connection to a client. */
export interface ClientLink {
  readonly tcp: (bytes: Buffer) => void
  /** To this port of the client's. */
  readonly udp: (bytes: Buffer, port: number) => void
  readonly close: () => void
}

/** Of LFS 0.8. */
const NEWEST_VERSION = 10
/** SubTs of TINY that clients may send, and that do not concern the service. */
const PING = 3
const REPLY = 4
const ISM = 10
const NCN = 13
/** Least interval of MCI, ms. */
const MIN_INTERVAL_MS = 10
/** A moment counts as reached this share of a second early. */
const NEARLY_S = 1e-6

/** An output with an interval. */
class Beat {
  /** s; 0: off. */
  interval = 0
  #next: number | undefined

  isDue(time: number): boolean {
    const next = this.#next ?? time
    if (this.interval === 0 || time + NEARLY_S < next) return false
    // On the grid of its interval; late ones are not caught up with.
    this.#next = Math.max(next + this.interval, time)
    return true
  }
}

export class LfsClient {
  readonly #game: LfsGame
  readonly #line: ClientLink
  readonly #stream = new PacketStream()
  readonly #mci = new Beat()
  readonly #outGauge = new Beat()
  readonly #outSim = new Beat()
  readonly #keepAlive = new Beat()
  /** The client's name; undefined before its request. */
  name: string | undefined
  /** Port of InSim's datagrams; 0 if MCI goes over TCP. */
  udpPort = 0
  /** Version of InSim: the requested one, as far as LFS has it. */
  version = INSIM_VERSION
  #isAwaited = false
  #isClosed = false
  #out: Array<Buffer> = []

  constructor(game: LfsGame, line: ClientLink) {
    this.#game = game
    this.#line = line
  }

  /** Handles received bytes. */
  heard(chunk: Buffer): void {
    const parts = this.#stream.push(chunk)
    for (const part of parts ?? []) if (!this.#isClosed) this.#read(part)
    if (parts === undefined) this.close()
    this.#flush()
  }

  /** Queues bytes for the TCP connection; the bytes of a moment are sent together. */
  send(bytes: Buffer): void {
    if (this.name === undefined) return
    this.#out.push(bytes)
    if (this.#game.options.unknownPackets) this.#out.push(packets.unknown())
  }

  frame(frame: Frame): void {
    const game = this.#game
    if (this.name !== undefined && !game.options.silent) {
      const { upTime } = frame
      if (this.#outSim.isDue(upTime)) this.#datagram(game.outSim(frame))
      if (this.#outGauge.isDue(upTime)) this.#datagram(game.outGauge(frame))
      if (this.#mci.isDue(upTime)) {
        const cars = game.cars(frame)
        if (this.udpPort === 0) this.send(cars)
        else this.#datagram(cars)
      }
      if (this.#keepAlive.isDue(upTime)) {
        if (this.#isAwaited) return this.close()
        this.#isAwaited = true
        this.send(packets.tiny(Tiny.none))
      }
    }
    this.#flush()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#game.disconnect(this)
    this.#line.close()
  }

  #datagram(bytes: Buffer | undefined): void {
    if (bytes !== undefined && this.udpPort !== 0) this.#line.udp(bytes, this.udpPort)
  }

  #flush(): void {
    const out = this.#out
    if (out.length === 0 || this.#isClosed) return
    this.#out = []
    const { silent, split } = this.#game.options
    if (silent) return
    const bytes = Buffer.concat(out)
    if (split) this.#line.tcp(bytes.subarray(0, 1))
    this.#line.tcp(split ? bytes.subarray(1) : bytes)
  }

  #read(bytes: Buffer): void {
    const { SMALL } = sent
    const { TINY } = heard
    if (this.name === undefined) this.#init(bytes)
    else if (bytes[1] === TINY.type) this.#tiny(TINY.read.ReqI(bytes), TINY.read.SubT(bytes))
    else if (bytes[1] === SMALL.type && bytes.length === SMALL.size) {
      const interval = SMALL.read.UVal(bytes) / 100
      const subType = SMALL.read.SubT(bytes)
      if (subType === Small.outGauge) this.#outGauge.interval = interval
      else if (subType === Small.outSim) this.#outSim.interval = interval
    }
  }

  #init(bytes: Buffer): void {
    const { adminPassword, keepAliveEvery } = this.#game.options
    const { ISI } = sent
    if (bytes[1] !== ISI.type || bytes.length !== ISI.size) return this.close()
    const { Admin, Flags, IName, InSimVer, Interval, ReqI, UDPPort } = ISI.values(bytes)
    const isLetIn = adminPassword === "" || Admin === adminPassword
    if (InSimVer < INSIM_VERSION || !isLetIn) return this.close()
    this.name = IName
    this.version = Math.min(InSimVer, NEWEST_VERSION)
    this.udpPort = UDPPort
    if ((Flags & InitFlag.cars) !== 0) {
      this.#mci.interval = Math.max(MIN_INTERVAL_MS, Interval) / 1000
    }
    this.#keepAlive.interval = keepAliveEvery
    if (ReqI !== 0) this.send(packets.version(ReqI, this.version))
    this.send(this.#game.state(0))
  }

  #tiny(request: number, subType: number): void {
    const game = this.#game
    switch (subType) {
      case Tiny.none:
        this.#isAwaited = false
        return
      case Tiny.close:
        return this.close()
      case PING:
        return this.send(packets.tiny(REPLY, request))
      case Tiny.state:
        return this.send(game.state(request))
      case ISM:
        return this.send(packets.host(request))
      case NCN:
        return this.send(game.connection(request))
      case Tiny.players:
        for (const player of game.players(request)) this.send(player)
        return
      case Tiny.raceStart:
        return this.send(game.raceStart(request))
    }
  }
}
