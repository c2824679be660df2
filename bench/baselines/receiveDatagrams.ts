/**
 * The least that can be done with datagrams, by hand and without Effect: sockets that count what they get. Prints the ports,
 * then `{datagrams, cpuSeconds}` when it is told to end.
 *
 *   node receiveDatagrams.js SOCKETS
 */
import { createSocket } from "node:dgram"
import { once } from "node:events"

const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024

const sockets = Array.from({ length: Number(process.argv[2]) }, () => createSocket("udp4"))
let datagrams = 0
let bytes = 0
for (const socket of sockets) {
  socket.on("message", (data) => {
    datagrams++
    bytes += data.length
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
}
const before = process.cpuUsage()
process.once("SIGTERM", () => {
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ datagrams, bytes, cpuSeconds: (user + system) / 1e6 }))
  process.exit(0)
})
console.log(JSON.stringify(sockets.map((socket) => socket.address().port)))
