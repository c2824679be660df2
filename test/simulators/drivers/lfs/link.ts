/** Connects the emulated Live for Speed to the driver's state machine: TCP and UDP without sockets, on the drive's clock. */
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { type Faults, spoil } from "../../../../simulator/emulators/faults.ts"
import { Frames, type FramesOptions } from "../../../../simulator/emulators/frames.ts"
import { type GameOptions, LfsGame } from "../../../../simulator/emulators/lfs/LfsGame.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { LfsConversation } from "../../../../src/simulators/drivers/lfs/LfsConversation.ts"
import type { LinkOptions } from "../../../../src/simulators/Driver.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { framesOptions, scene } from "../emulating.ts"
import { linkOptions } from "../interpreting.ts"

const UDP_PORT = 30_000
const NO_FAULTS: Faults = { loss: 0, reorder: 0, duplicate: 0, garbage: 0 }
/** Frames continue for this long after the last lap, s: the player leaves the race by then. */
const AFTER_S = 4

/** Messages over TCP arrive in order, and not while the other side is still sending. */
class Mail {
  #waiting: Array<() => void> = []

  post(bytes: Buffer, to: (bytes: Buffer) => void): void {
    this.#waiting.push(() => to(bytes))
  }

  deliver(): void {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) next()
  }
}

export interface LfsLink {
  readonly game: LfsGame
  readonly conversation: LfsConversation
  /** The messages of either side over TCP, and the datagrams that reached the driver. */
  readonly fromGame: ReadonlyArray<Buffer>
  readonly fromService: ReadonlyArray<Buffer>
  readonly datagrams: ReadonlyArray<Buffer>
  readonly isClosed: () => boolean
  /** Takes a frame of the game; returns the driver's events. */
  readonly frame: (frame: Frame) => ReadonlyArray<SimulatorEvent>
}

export interface LinkSetting {
  readonly game?: Partial<GameOptions>
  readonly options?: Partial<LinkOptions>
  readonly faults?: Partial<Faults>
}

/** A link on which the driver has greeted the game. */
export const lfsLink = (setting: LinkSetting = {}): LfsLink => {
  const game = new LfsGame(scene, setting.game)
  const events = new EventBuffer()
  const mail = new Mail()
  const fromGame: Array<Buffer> = []
  const fromService: Array<Buffer> = []
  const datagrams: Array<Buffer> = []
  let arrival = 100
  let isClosed = false
  const hear = spoil(
    { ...NO_FAULTS, ...setting.faults },
    3
  )((bytes) => {
    datagrams.push(Buffer.from(bytes))
    conversation.datagram(Buffer.from(bytes), arrival, events)
  })
  const client = game.connect({
    tcp: (bytes) => {
      fromGame.push(bytes)
      mail.post(bytes, (chunk) => conversation.stream(chunk, arrival, events))
    },
    udp: (bytes) => hear(bytes),
    close: () => {
      isClosed = true
    }
  })
  const conversation = new LfsConversation(linkOptions(setting.options), (bytes) => {
    fromService.push(bytes)
    mail.post(bytes, (chunk) => client.heard(chunk))
  })
  conversation.greet(UDP_PORT)
  mail.deliver()
  return {
    game,
    conversation,
    fromGame,
    fromService,
    datagrams,
    isClosed: () => isClosed,
    frame: (frame) => {
      arrival = 100 + frame.upTime
      game.frame(frame)
      mail.deliver()
      return events.take()
    }
  }
}

export interface Driven {
  readonly link: LfsLink
  readonly events: ReadonlyArray<SimulatorEvent>
  readonly frames: ReadonlyArray<Frame>
  /** The laps that were driven to their end, in order, by session. */
  readonly driven: ReadonlyArray<ReadonlyArray<DrivenLap>>
}

/** Drives until the last lap of the last session is over, and some seconds more. */
export const driveLfs = (
  setting: LinkSetting & { readonly frames?: Partial<FramesOptions> } = {}
): Driven => {
  const settings = framesOptions(setting.frames)
  const source = new Frames(settings)
  const link = lfsLink(setting)
  const events: Array<SimulatorEvent> = []
  const frames: Array<Frame> = []
  const driven: Array<Array<DrivenLap>> = [[]]
  for (let over = 0; over < AFTER_S * settings.rate;) {
    const frame = source.next()
    events.push(...link.frame(frame))
    frames.push(frame)
    if (frame.session >= driven.length) driven.push([])
    if (frame.lapEnded) driven[frame.session]!.push(frame.lastLap!)
    over = frame.finished && frame.session === settings.restarts.length ? over + 1 : 0
  }
  return { link, events, frames, driven }
}
