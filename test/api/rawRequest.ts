/** Requests that no well-behaved client sends: bytes over a socket, and what comes back until it is closed. */
import { connect } from "node:net"
import { Effect } from "effect"

export interface RawAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const parseAnswer = (text: string): RawAnswer => {
  const end = text.indexOf("\r\n\r\n")
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n")
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim()
      ])
    ),
    body: text.slice(end + 4)
  }
}

/** Writes a request, and reads until the connection is closed, in whatever way. */
export const rawBytes = (port: number, request: string): Effect.Effect<Buffer> =>
  Effect.async((resume) => {
    const socket = connect(port, "127.0.0.1")
    const chunks: Array<Buffer> = []
    socket.on("data", (chunk: Buffer) => chunks.push(chunk))
    // Whatever the error, a close follows.
    socket.on("error", () => undefined)
    socket.once("close", () => resume(Effect.succeed(Buffer.concat(chunks))))
    socket.write(request)
    return Effect.sync(() => socket.destroy())
  })

/** Writes `pieces`, one a turn, and reads until the server closes, or until `enough` of an answer is there. */
export const rawRequest = (
  port: number,
  pieces: string | Uint8Array | ReadonlyArray<string | Uint8Array>,
  enough: (answer: string) => boolean = () => false
): Effect.Effect<RawAnswer> =>
  Effect.async((resume) => {
    const socket = connect(port, "127.0.0.1")
    let text = ""
    const done = () => {
      socket.destroy()
      resume(Effect.succeed(parseAnswer(text)))
    }
    socket.setEncoding("utf8")
    socket.on("data", (data: string) => {
      text += data
      if (enough(text)) done()
    })
    // Whatever the error, a close follows.
    socket.on("error", () => undefined)
    socket.once("close", done)
    for (const piece of typeof pieces === "string" || pieces instanceof Uint8Array ? [pieces] : pieces) {
      socket.write(piece)
    }
    return Effect.sync(() => socket.destroy())
  })
