import { describe, expect, it } from "@effect/vitest"
import { createServer, IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { guardUpgrades, headOf } from "../../src/api/guard/guardUpgrades.ts"

const upgrading = (head: string, answered: boolean) => {
  const server = guardUpgrades(createServer())
  if (answered) server.on("upgrade", () => {})
  const socket = new Socket()
  const request = new IncomingMessage(socket)
  server.emit("upgrade", request, socket, Buffer.from(head))
  return { socket, request }
}

describe("guardUpgrades", () => {
  it("keeps the bytes that came with the request", () => {
    expect(String(headOf(upgrading("early", true).request))).toBe("early")
    expect(headOf(new IncomingMessage(new Socket()))).toBeUndefined()
  })

  it("survives a connection that fails before a handler has taken it over", () => {
    const { socket } = upgrading("", true)
    socket.emit("error", new Error("ECONNRESET"))
    expect(socket.destroyed).toBe(true)
  })

  it("ends a connection that no handler takes over", () => {
    expect(upgrading("", true).socket.destroyed).toBe(false)
    expect(upgrading("", false).socket.destroyed).toBe(true)
  })
})
