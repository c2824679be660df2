/**
 * Many clients of one service at once. Prints a line of JSON (`Crowded`) when all have an answer, or have sent their request; those
 * that stay keep their connections until the process is ended.
 *
 *   node crowd.js JSON        (`CrowdOptions`)
 *
 * - `leave`: resume a live session from its beginning, and close when they are answered.
 * - `resume`: resume a live session, and read the messages.
 * - `deaf`: request a download, and read nothing.
 */
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export interface CrowdOptions {
  /** Path and query of the requests. */
  readonly url: string
  readonly clients: number
  readonly does: "leave" | "resume" | "deaf"
}

export interface Crowded {
  readonly ms: number
  /** Refused with 503, and requested again. */
  readonly refused: number
}

const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
const REFUSED = "HTTP/1.1 503"
/** A pause such as Retry-After allows; shorter, so that a run does not take long. */
const AGAIN_MS = 500

const { clients, does, url } = JSON.parse(process.argv[2]!) as CrowdOptions
const { host, hostname, pathname, port, search } = new URL(url)
const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${does === "deaf" ? "" : UPGRADE}\r\n`
const result = { refused: 0 }

const dialled = (): Socket => {
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on("error", () => {})
  return socket
}

const leave = () =>
  new Promise<void>((done) => {
    const socket = dialled()
    socket.write(request)
    socket.once("data", () => socket.destroy())
    socket.once("close", () => done())
  })

const deaf = () =>
  new Promise<void>((done) => {
    const socket = dialled()
    socket.pause()
    socket.write(request, () => done())
  })

/** Whether the service accepted the client. */
const letIn = () =>
  new Promise<boolean>((done) => {
    const socket = dialled()
    socket.once("data", (bytes) => {
      const isRefused = bytes.toString("latin1", 0, REFUSED.length) === REFUSED
      if (isRefused) socket.destroy()
      // Reads the rest.
      else socket.on("data", () => {})
      done(!isRefused)
    })
    socket.write(request)
  })

const resume = async () => {
  while (!(await letIn())) {
    result.refused++
    await sleep(AGAIN_MS)
  }
}

const begin = performance.now()
await Promise.all(Array.from({ length: clients }, () => ({ leave, resume, deaf })[does]()))
console.log(JSON.stringify({ ms: performance.now() - begin, ...result }))
if (does === "leave") process.exit()
// Sockets that read nothing do not keep the process alive.
setInterval(() => {}, 1_000_000)
