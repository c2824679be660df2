/** Captures of games' datagrams: their sessions are those of a live ride of the same datagrams, whatever the file's kind. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { protocols } from "../../src/simulators/drivers/any/AnyDriver.ts"
import { BEGIN_S } from "../simulators/cases/handed.ts"
import { readCases, recordedOfCase } from "../simulators/cases/cases.ts"
import { EPOCH_S } from "../simulators/cases/recorded.ts"
import { captureFile } from "../simulators/captures/captures.ts"
import { needing } from "../support/needing.ts"
import { thorough } from "../support/runs.ts"
import { capturesHere, casesHere, sharedFolder } from "../support/sharedData.ts"
import { captureFiles, datagramsOf, ethernet, ipv4, pcap, udp } from "./captureFiles.ts"
import { importedOf, outcomeOf } from "./importedOf.ts"
import { readFile, timesOf } from "./readFile.ts"

const folder = mkdtempSync(join(tmpdir(), "captures-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Drivers wait so long for names. */
const NAMES_WITHIN_S = 10.1

const pushed = new Set<string>(protocols.map(({ name }) => name))

const cases = (casesHere.missing === undefined ? readCases() : []).filter(
  ([, { connect, simulator }]) => pushed.has(simulator) && connect === undefined
)

const write = (name: string, bytes: Uint8Array | string) => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe("a capture", needing(casesHere), () => {
  it.effect.each(cases.filter((_, n) => thorough || n % 5 === 0))(
    "%s gives the sessions and laps of a live ride",
    ([, right, file]) =>
      Effect.gen(function* () {
        const live = yield* recordedOfCase(right, file)
        const { sessions } = yield* importedOf(file, EPOCH_S + BEGIN_S)
        expect(sessions.map(({ laps, points }) => [laps, points])).toEqual(
          live.map(({ laps, times }) => [laps.map(outcomeOf), times.length])
        )
        // A live ride whose names come late is later by that.
        sessions.forEach(({ first }, n) => {
          expect(first! - live[n]!.times[0]!).toBeLessThan(0.06)
          expect(live[n]!.times[0]! - first!).toBeLessThan(NAMES_WITHIN_S)
        })
      })
  )
})

const lapsIn = ({ sessions }: Awaited<ReturnType<typeof readFile>>) =>
  sessions.map((session) => [
    session.laps.map(({ lapNumber, lapTime, sectors }) => [lapNumber, lapTime, sectors]),
    timesOf(session, "speed").length
  ])

/** The datagrams of a case, as if sent to this port. */
const sentTo = (file: string, port: number) =>
  datagramsOf(file).map(({ bytes, time }) => ({ time, bytes: ethernet(ipv4(udp(bytes, port))) }))

describe("captures of every kind", needing(casesHere), () => {
  const file = `${sharedFolder("data/cases")}/f1-flashback-over-the-line.ndjson.gz`

  it("have the same laps and rows", async () => {
    const expected = lapsIn(await readFile(file))
    expect(expected[0]![0]).toHaveLength(4)
    for (const [name, bytes] of Object.entries(captureFiles(datagramsOf(file)))) {
      const read = await readFile(write(name, bytes))
      expect([name, read.partial, lapsIn(read)]).toEqual([name, undefined, expected])
    }
  })

  it("have the times of the capture, and leave other packets out", async () => {
    const own = sentTo(file, 20_777)
    const other = { time: EPOCH_S, bytes: ethernet(ipv4(udp(Buffer.from("hello"), 53))) }
    const fragment = { time: EPOCH_S, bytes: ethernet(ipv4(Buffer.alloc(64), 0x2000)) }
    const read = await readFile(write("a.pcap", pcap([other, fragment, ...own])))
    expect([read.format, read.partial, read.warnings]).toEqual([
      "pcap",
      undefined,
      ["1 fragments are left out"]
    ])
    const first = read.sessions[0]!
    expect(first.started.clockZero! + timesOf(first, "speed")[0]!).toBeCloseTo(EPOCH_S, 0)
  })

  it("take the largest stream, name the others, and say where they end too early", async () => {
    const own = sentTo(file, 20_777)
    const other = sentTo(file, 20_778).slice(0, 50)
    const whole = pcap([...own, ...other])
    const read = await readFile(write("two.pcap", whole))
    expect(read.warnings).toEqual(["Not read: 50 datagrams of f1 from 192.168.0.7 to port 20778"])
    const cut = await readFile(write("two.pcap", whole.subarray(0, whole.length - 3)))
    expect(cut.partial).toBe("The capture ends within a packet: what is before it was read")
    const broken = Buffer.from(whole)
    const at = 24 + 16 + own[0]!.bytes.length
    broken.writeUInt32BE(0xffffffff, at + 8)
    expect(await readFile(write("two.pcap", broken)).catch((error: unknown) => error)).toMatchObject({
      partial: `The capture is damaged at byte ${at}: what is before was read`
    })
  })
})

describe("real packets", needing(capturesHere), () => {
  it("of a stage become its session, and those of games that are asked are refused by name", async () => {
    const { sessions } = await readFile(captureFile("dirt-rally-2-noorinbee"))
    expect(sessions[0]!.laps.map(({ lapTime }) => Math.round(lapTime! * 10) / 10)).toEqual([202.2])
    await expect(readFile(captureFile("gt7-spa-format-c-plain"))).rejects.toThrow(
      /^None of its 6914 datagrams is of a game whose captures are read: f1, dirt-rally-2, /
    )
  })
})
