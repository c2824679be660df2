/**
 * The least that an ingest can do, by hand and without Effect: a WebSocket client that takes packed messages,
 * copies their columns, and checks that every number is finite and every timestamp later than the last.
 * Nothing is stored. Prints `{points, cpuSeconds}` when the feed has ended.
 *
 *   node receive.js ws://HOST:PORT
 */
import { WebSocket } from "ws"

const HEADER_BYTES = 16
const COLUMNS = 10

const socket = new WebSocket(process.argv[2]!, "telemetry-feed.v1", { perMessageDeflate: false })
let points = 0
let last = -Infinity
const before = process.cpuUsage()

const take = (data: Buffer) => {
  const count = data.readUInt32LE(4)
  const columns = new Float64Array(count * COLUMNS)
  new Uint8Array(columns.buffer).set(data.subarray(HEADER_BYTES))
  let finite = 0
  for (let i = 0; i < columns.length; i++) finite += columns[i]! * 0
  if (finite !== 0) throw new Error("not finite")
  for (let i = 0; i < count; i++) {
    if (!(columns[i]! > last)) throw new Error("out of order")
    last = columns[i]!
  }
  points += count
}

socket.on("open", () => socket.send(JSON.stringify({ type: "hello", app_name: "baseline", rate: 60 })))
socket.on("message", (data: Buffer, isBinary) => {
  if (isBinary) return take(data)
  if ((JSON.parse(data.toString()) as { readonly type: string }).type !== "session_end") return
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ points, cpuSeconds: (user + system) / 1e6 }))
  socket.close()
})
