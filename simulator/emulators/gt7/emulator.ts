/** Gran Turismo 7 on a console: sends 60 times a second to clients with a recent heartbeat. */
import { type Heartbeat, packets } from "../../../src/simulators/drivers/gt7/layout.ts"
import type { Client, Emulator, EmulatorKind, Scene } from "../Emulator.ts"
import { answering } from "../udp.ts"
import { encrypt, Gt7Packets, WORLD } from "./packets.ts"

const PORT = 33739
/** Packets per second, at any rate of frames. */
const RATE = 60
/** The stream continues for this time after a heartbeat, s. */
const STREAM_S = 16
/** The number of the first packet: the console has been on for a while. */
const FIRST_PACKET = 704_000
/** Moments are quotients of doubles. */
const NEARLY = 1e-6

interface Recipient {
  readonly client: Client
  readonly heartbeat: Heartbeat
  readonly until: number
}

const isHeartbeat = (text: string): text is Heartbeat => Object.hasOwn(packets, text)

export const emulator = (scene: Scene): Emulator => {
  const console = new Gt7Packets(scene)
  const recipients = new Map<string, Recipient>()
  let now = 0
  let last = -1
  return {
    frame: (frame, send) => {
      now = frame.upTime
      const number = Math.floor(now * RATE + NEARLY)
      if (number === last) return
      last = number
      const plain = console.encode(frame, FIRST_PACKET + number)
      for (const [key, { client, heartbeat, until }] of recipients) {
        if (now > until) recipients.delete(key)
        else send(encrypt(plain.subarray(0, packets[heartbeat].size), heartbeat), client)
      }
    },
    heard: (bytes, client) => {
      const heartbeat = bytes.toString("latin1")
      if (!isHeartbeat(heartbeat)) return
      recipients.set(`${client.address} ${client.port}`, { client, heartbeat, until: now + STREAM_S })
    }
  }
}

export const gt7: EmulatorKind = {
  protocol: "gt7",
  port: PORT,
  simulator: "gt7",
  world: WORLD,
  serve: answering(emulator)
}
