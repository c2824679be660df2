import type { Scene } from "../../../../simulator/emulators/Emulator.ts"
import { LfsGame } from "../../../../simulator/emulators/lfs/LfsGame.ts"
import { LfsConversation } from "../../../../src/simulators/drivers/lfs/LfsConversation.ts"
import { linkOptions } from "../interpreting.ts"
import type { Expected, Game, Kind, Out } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

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
  precise: 0.0011,
  counts: true,
  clockless: false,
  sectors: true,
  expected
}

export const kinds: ReadonlyArray<Kind> = [lfs]
