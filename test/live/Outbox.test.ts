import { describe, expect, it } from "@effect/vitest"
import { Socket } from "node:net"
import { Outbox } from "../../src/live/Outbox.ts"

/** A socket that notes what reaches the system, and an outbox whose turns end when told. */
const start = () => {
  const calls: Array<string> = []
  const socket = new Socket()
  socket._write = (chunk, _encoding, done) => {
    calls.push(String(chunk))
    done()
  }
  socket._writev = (chunks, done) => {
    calls.push(chunks.map(({ chunk }) => String(chunk)).join("+"))
    done()
  }
  let ends: Array<() => void> = []
  const outbox = new Outbox({ now: () => 0, after: () => () => {}, soon: (run) => ends.push(run) })
  const fanOut = (text: string) => {
    outbox.beginFanout()
    outbox.write(socket, Buffer.from(text))
  }
  const endTurn = () => {
    for (const end of ends) end()
    ends = []
  }
  return { calls, socket, outbox, fanOut, endTurn }
}

describe("Outbox", () => {
  it("writes the only message of a turn at once", () => {
    const { calls, fanOut, endTurn } = start()
    for (const text of ["a", "b"]) {
      fanOut(text)
      expect(calls.at(-1)).toBe(text)
      endTurn()
    }
  })

  it("holds from the second message on, and from the first after a turn of several", () => {
    const { calls, fanOut, endTurn } = start()
    for (const text of ["a", "b", "c"]) fanOut(text)
    expect(calls).toEqual(["a"])
    endTurn()
    expect(calls).toEqual(["a", "b+c"])
    fanOut("d")
    expect(calls).toHaveLength(2)
    endTurn()
    expect(calls).toEqual(["a", "b+c", "d"])
    fanOut("e")
    expect(calls.at(-1)).toBe("e")
  })

  it("never holds what no end of a turn would send", () => {
    const { calls, socket, outbox, fanOut, endTurn } = start()
    fanOut("a")
    fanOut("b")
    endTurn()
    outbox.write(socket, Buffer.from("c"))
    expect(calls.at(-1)).toBe("c")
  })

  it("does not hold much", () => {
    const { calls, fanOut } = start()
    for (let i = 0; i < 9; i++) fanOut("x".repeat(4096))
    expect(calls.reduce((sum, text) => sum + text.replaceAll("+", "").length, 0)).toBeGreaterThanOrEqual(
      5 * 4096
    )
  })
})
