/** Gran Turismo 7: which heartbeats the driver sends to the console, and when. */
import { describe, expect, it } from "vitest"
import { protocol } from "../../../../src/simulators/drivers/gt7/Gt7Driver.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { packet } from "./packets.ts"
import { linkOptions, opened } from "../interpreting.ts"

const conversation = () => {
  const sent: Array<string> = []
  const one = opened(protocol.conversation(linkOptions()), (bytes) =>
    sent.push(Buffer.from(bytes).toString("latin1"))
  )
  const tick = (from: number, to: number) => {
    for (let now = from; now <= to; now++) one.tick(now)
    return sent.splice(0).join("")
  }
  return { one, tick, events: new EventBuffer() }
}

describe("asking the console", () => {
  it("expects the answers on the port after the one of the console", () => {
    expect(protocol.ports).toEqual([33739])
    expect(protocol.answersTo?.(33739)).toBe(33740)
    expect(protocol.answersTo?.(65535)).toBe(65535)
  })

  it("tries format B, then A, and B again, until something decrypts", () => {
    const { events, one, tick } = conversation()
    expect(tick(0, 6)).toBe("BBBAAAB")
    one.datagram(Buffer.alloc(296), 6.5, events)
    expect(one.state()._tag).toBe("Waiting")
    one.datagram(packet({}, "B"), 6.6, events)
    expect(one.state()._tag).toBe("Answered")
    expect(one.simulator()).toBe("Gran Turismo 7")
  })

  it("goes on with the format that was answered: every five seconds, and every three in silence", () => {
    const { events, one, tick } = conversation()
    expect(tick(0, 2)).toBe("BBB")
    one.datagram(packet({}, "B"), 2.9, events)
    let beats = ""
    for (let now = 3; now <= 22; now++) {
      one.datagram(packet({ id: now * 60 }, "B"), now, events)
      beats += tick(now, now)
    }
    expect(beats).toBe("BBBB")
    expect(tick(23, 31)).toBe("BBB")
    one.sendDisconnect()
  })
})
