/** Captures as files, played ten times as fast as recorded, and sockets that receive them. */
import { createSocket, type Socket } from "node:dgram"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { onTestFinished } from "@effect/vitest"
import { Effect } from "effect"
import { serveCapture } from "../../simulator/captures/serveCapture.ts"
import { until } from "../live/support.ts"

/** A file that is gone when the test has ended. */
export const file = (name: string, text: string | Buffer): string => {
  const folder = mkdtempSync(join(tmpdir(), "captures-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

export const captureOfLines = (name: string, lines: ReadonlyArray<object>) =>
  file(`${name}.ndjson.gz`, gzipSync(lines.map((line) => JSON.stringify(line)).join("\n")))

/** Datagrams 10 ms apart. */
export const captureOf = (name: string, datagrams: ReadonlyArray<Buffer>) =>
  captureOfLines(
    name,
    datagrams.map((bytes, n) => ({ t: n / 100, hex: bytes.toString("hex") }))
  )

export const play = (path: string, port?: number) =>
  Effect.map(serveCapture({ file: path, host: "127.0.0.1", port, speed: 10, driver: "Ana" }), ({ address }) =>
    portOf(address)
  )

/** A socket, and the datagrams that it received. */
export const listener = (port = 0, address = "127.0.0.1") =>
  Effect.acquireRelease(
    Effect.async<{ readonly socket: Socket; readonly received: ReadonlyArray<Buffer> }>((resume) => {
      const socket = createSocket("udp4")
      const received: Array<Buffer> = []
      socket.on("message", (bytes) => received.push(bytes))
      socket.bind(port, address, () => resume(Effect.succeed({ socket, received })))
    }),
    ({ socket }) => Effect.sync(() => socket.close())
  )

export const eventually = (holds: () => boolean) => Effect.promise(() => until(holds))
export const portOf = (address: string) => Number(address.split(":").at(-1))
