/**
 * The minimum for receiving datagrams, by hand and without Effect: sockets that count what they get. Prints the ports,
 * then `{datagrams, bytes, cpuSeconds}` when it is asked to end; the CPU counts from the WARM_UPth datagram on.
 *
 *   node receiveDatagrams.js SOCKETS WARM_UP
 */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { RECEIVE_BUFFER_BYTES } from "../../src/simulators/udp/receiveBuffer.ts"

const [count, warmUp] = process.argv.slice(2).map(Number)
const sockets = Array.from({ length: count! }, () => createSocket("udp4"))
let before = process.cpuUsage()
let datagrams = 0
let bytes = 0
for (const socket of sockets) {
  socket.on("message", (data) => {
    if (datagrams++ === warmUp) before = process.cpuUsage()
    bytes += data.length
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
}
/** Called once a turn of the event loop has read nothing more: on a busy machine, the signal to end may come before all is read. */
const end = (read: number) =>
  setImmediate(() => {
    if (datagrams > read) return end(datagrams)
    const { user, system } = process.cpuUsage(before)
    console.log(JSON.stringify({ datagrams, bytes, cpuSeconds: (user + system) / 1e6 }))
    process.exit(0)
  })
process.once("SIGTERM", () => end(-1))
console.log(JSON.stringify(sockets.map((socket) => socket.address().port)))
