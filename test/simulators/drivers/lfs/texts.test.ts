/** Live for Speed: packets on TCP, texts and names. */
import { describe, expect, it } from "vitest"
import { carCode, carName } from "../../../../src/simulators/drivers/lfs/cars.ts"
import { problemWith } from "../../../../src/simulators/drivers/lfs/decodeOutSim.ts"
import { LfsConversation } from "../../../../src/simulators/drivers/lfs/LfsConversation.ts"
import { PacketStream } from "../../../../src/simulators/drivers/lfs/PacketStream.ts"
import { plainText } from "../../../../src/simulators/drivers/lfs/texts.ts"
import { trackName } from "../../../../src/simulators/drivers/lfs/tracks.ts"
import type { Interpreter } from "../../../../src/simulators/udp/Protocol.ts"
import type { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import { bytesOf, fuzz, goldenVectors, haveGolden, linkOptions } from "../interpreting.ts"
import { drive } from "../suite/drive.ts"
import { lfs } from "./game.ts"

/** A link that has begun, and receives over TCP while the drive goes on beside it, over UDP. */
class Fuzzed implements Interpreter {
  readonly simulator = () => ""
  readonly #opening: Buffer
  readonly #driven: ReadonlyArray<Buffer>
  #conversation: LfsConversation
  #received = 0

  constructor(opening: Buffer, driven: ReadonlyArray<Buffer>) {
    this.#opening = opening
    this.#driven = driven
    this.#conversation = new LfsConversation(linkOptions(), () => {})
  }

  datagram(bytes: Buffer, arrival: number, events: EventBuffer): void {
    // Nothing can be read after a packet of no length.
    if (this.#conversation.state()._tag === "Broken") {
      this.#conversation = new LfsConversation(linkOptions(), () => {})
    }
    if (this.#conversation.state()._tag === "Waiting") {
      this.#conversation.stream(this.#opening, arrival, events)
    }
    this.#conversation.stream(bytes, arrival, events)
    const beside = this.#driven[this.#received++ % this.#driven.length]!
    this.#conversation.datagram(beside, arrival, events)
  }
}

describe("packets on TCP", () => {
  const keepAlive = Buffer.from("01030000", "hex")
  const leave = Buffer.from("01170007", "hex")
  const unknown = Buffer.from([2, 200, 0, 0, 1, 2, 3, 4])

  it("are the same however they are cut", () => {
    const all = Buffer.concat([keepAlive, unknown, leave, keepAlive])
    for (let size = 1; size <= all.length; size++) {
      const stream = new PacketStream()
      const packets: Array<Buffer> = []
      for (let at = 0; at < all.length; at += size) packets.push(...stream.push(all.subarray(at, at + size))!)
      expect(packets).toEqual([keepAlive, unknown, leave, keepAlive])
      expect(stream.rest).toHaveLength(0)
    }
  })

  it("end at a packet that claims to have no length", () => {
    expect(new PacketStream().push(Buffer.concat([keepAlive, Buffer.alloc(4)]))).toBeUndefined()
  })
})

describe("texts", () => {
  it.each([
    ["^1Ana^8", "Ana"],
    ["^4Jos\xe9 ^7P\xe9rez", "José Pérez"],
    ["^Gma\xe9\xe1", "maια"],
    ["^C\xc0\xed\xed\xe0^L\xe9", "Аннаé"],
    ["^E\x8a\x9a^8\x80", "Šš€"],
    ["^E\x8a^:\x80", "Š€"],
    ["^T\xdd^B\xc0", "İĄ"],
    ["^J\x83\x5e^7\x83^1", "タタ1"],
    ["^H\xa4\xa4", "中"],
    ["^S\xd6\xd0", "中"],
    ["^K\xb0\xa1", "가"],
    ["a^vb^ac^cd^de^sf^qg^th^li^rj^hk^^l", 'a|b*c:d\\e/f?g"h<i>j#k^l'],
    ["odd ^z and last ^", "odd ^z and last ^"],
    ["ended\0by a zero", "ended"]
  ])("%j", (bytes, text) => {
    expect(plainText(Buffer.from(bytes, "latin1"))).toBe(text)
  })
})

describe("names", () => {
  it("of tracks include how they are driven", () => {
    expect(["BL1", "BL1R", "FE4X", "AS5Y", "RO10", "RO11R", "ZZ1R", ""].map(trackName)).toEqual([
      "Blackwood GP",
      "Blackwood GP reversed",
      "Fern Bay Black open X",
      "Aston Grand Prix open Y",
      "Rockingham International Long",
      "Rockingham Sportscar reversed",
      "ZZ1R",
      ""
    ])
  })

  it("of cars are the game's, and of mods their numbers", () => {
    expect(carName(carCode(Buffer.from("FBM\0", "latin1")))).toBe("Formula BMW FB02")
    expect(carName(carCode(Buffer.from("QQQ\0", "latin1")))).toBe("QQQ")
    expect(carName(carCode(Buffer.from([0x1b, 0x2a, 0x0c, 0])))).toBe("0C2A1B")
    expect(carName(carCode(Buffer.from("FBMX", "latin1")))).toBe("4D4246")
  })
})

describe("OutSim 2", () => {
  it("of other options than all is refused, with advice", () => {
    const bytes = Buffer.alloc(92)
    bytes.write("LFST", 0)
    expect(problemWith(bytes)).toContain("OutSim Opts 1ff")
  })
})

it("never throws, whatever comes over TCP", () => {
  const { chunks, datagrams, opening } = drive(lfs({ outSim: "full" }), { laps: 1 })
  const seeds = chunks.filter((bytes) => bytes.length > 4)
  const beside = datagrams.slice(600, 900)
  const golden = haveGolden ? goldenVectors("lfs.json").map(bytesOf) : []
  expect(
    fuzz(() => new Fuzzed(Buffer.concat(opening), beside), [...seeds, ...golden], 14_000)
  ).toBeGreaterThan(0)
})
