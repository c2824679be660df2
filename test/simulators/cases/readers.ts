/** The driver's part of a link of each simulator, without its sockets. */
import { protocol as acc } from "../../../src/simulators/drivers/acc/AccDriver.ts"
import { protocol as assettoCorsa } from "../../../src/simulators/drivers/assetto-corsa/AssettoCorsaDriver.ts"
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
import type { Conversation, Interpreter, PushProtocol } from "../../../src/simulators/udp/Protocol.ts"
import type { LinkOptions } from "../../../src/simulators/Driver.ts"
import type { EventBuffer } from "../../../src/simulators/EventBuffer.ts"

export interface Reader extends Interpreter {
  /** Called for each link. */
  readonly open?: (send: (bytes: Uint8Array) => void) => void
  readonly stream?: (chunk: Buffer, arrival: number, events: EventBuffer) => void
  /** The conversation of a game that is asked. */
  readonly conversation?: Pick<Conversation, "state" | "sendDisconnect"> & {
    readonly tick?: (now: number) => void
  }
}

export interface Shell {
  /** The recognisers of the game's protocol. */
  readonly name: string
  /** The link is lost after a silence of this long, s. */
  readonly silentAfter: number
  /** For a game that sends unasked: whether a datagram is its own. The first such datagram opens the link. */
  readonly recognises?: (bytes: Buffer) => boolean
  readonly make: (options: LinkOptions) => Reader
}

/** The games that send unasked. */
export const pushed: ReadonlyArray<PushProtocol> = [
  beamNg,
  dirtRally,
  dirtRally2,
  eaWrc,
  f1,
  forza,
  projectCars2,
  projectMotorRacing,
  richardBurnsRally
]
const askedGames = [acc, assettoCorsa, gt7]

/** As in `listening.ts`, and in `LfsDriver.ts`. */
const LISTENER_SILENT_AFTER_S = 60
const LFS_SILENT_AFTER_S = 70
const UDP_PORT = 30_000

const lfs: Shell = {
  name: "lfs",
  silentAfter: LFS_SILENT_AFTER_S,
  make: (options) => {
    // Each link has a conversation of its own.
    let conversation = new LfsConversation(options, () => undefined)
    return {
      open: (send) => {
        conversation = new LfsConversation(options, send)
        conversation.greet(UDP_PORT)
      },
      datagram: (bytes, arrival, events) => conversation.datagram(bytes, arrival, events),
      stream: (bytes, arrival, events) => conversation.stream(bytes, arrival, events),
      end: (events) => conversation.end(events),
      simulator: () => conversation.simulator(),
      conversation: {
        state: () => (conversation.state()._tag === "Answered" ? { _tag: "Answered" } : { _tag: "Waiting" }),
        sendDisconnect: () => conversation.sendDisconnect()
      }
    }
  }
}

export const shellOf = (simulator: string): Shell => {
  if (simulator === "lfs") return lfs
  const listener = pushed.find(({ name }) => name === simulator)
  if (listener !== undefined) {
    const { interpreter, recognises } = listener
    return { name: simulator, silentAfter: LISTENER_SILENT_AFTER_S, recognises, make: interpreter }
  }
  const { conversation, silentAfter } = askedGames.find(({ name }) => name === simulator)!
  return {
    name: simulator,
    silentAfter,
    make: (options) => {
      const one = conversation(options)
      return {
        open: (send) => one.open(send),
        datagram: (bytes, arrival, events) => one.datagram(bytes, arrival, events),
        simulator: () => one.simulator(),
        silence: (seconds, events) => one.silence?.(seconds, events),
        end: (events) => one.end?.(events),
        conversation: one
      }
    }
  }
}
