/**
 * Requests over keep-alive connections, one at a time on each. They are written and read by hand, so that the server is
 * measured and not this. Every answer is compared byte by byte.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"

export interface Load {
  /** `http://HOST:PORT` */
  readonly url: string
  readonly path: string
  /** The body that every answer must have. */
  readonly body: Buffer
  readonly connections: number
  /** Over all connections. */
  readonly requests: number
}

const END_OF_HEAD = Buffer.from("\r\n\r\n")
const OK = Buffer.from("HTTP/1.1 200 ")

const opened = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay()
  await once(socket, "connect")
  return socket
}

/** The length of the answer that `bytes` begin with; undefined while it is not whole. */
const answerIn = (bytes: Buffer, body: Buffer): number | undefined => {
  const head = bytes.indexOf(END_OF_HEAD)
  if (head === -1) return undefined
  const start = head + END_OF_HEAD.length
  const end = start + body.length
  if (bytes.length < end) return undefined
  if (bytes.indexOf(OK) !== 0 || bytes.compare(body, 0, body.length, start, end) !== 0) {
    throw new Error(`another answer than expected: ${bytes.toString("utf8", 0, 400)}`)
  }
  return end
}

/** Sends `ask` for as long as `take` gives a turn; ends when the last request is answered. */
const drive = (socket: Socket, ask: string, body: Buffer, take: () => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let pending: Buffer | undefined
    const next = () => {
      if (take()) socket.write(ask)
      else resolve()
    }
    socket.once("close", () => reject(new Error("the server closed a connection")))
    socket.once("error", reject)
    socket.on("data", (chunk) => {
      const bytes = pending === undefined ? chunk : Buffer.concat([pending, chunk])
      try {
        const length = answerIn(bytes, body)
        pending = length === undefined ? bytes : undefined
        if (length === undefined) return
        if (length !== bytes.length) throw new Error("more was answered than asked")
        next()
      } catch (error) {
        reject(error as Error)
      }
    })
    next()
  })

/** Sends all requests and waits for their answers; throws where one is not as expected. */
export const load = async ({ body, connections, path, requests, url }: Load): Promise<void> => {
  const ask = `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`
  let left = requests
  const take = () => left-- > 0
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(url)))
  try {
    await Promise.all(sockets.map((socket) => drive(socket, ask, body, take)))
  } finally {
    for (const socket of sockets) socket.removeAllListeners("close").destroy()
  }
}
