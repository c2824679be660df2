/**
 * Resident memory of idle connections: an HTTP connection that is kept alive, a live subscriber, a link to a simulator;
 * beside it the same HTTP connection to node:http. The figure is a difference, so many of each are opened.
 *
 *   npm run bench -- memory        (CONNECTIONS, LINKS, RUNS by environment)
 */
import { once } from "node:events"
import { connect, type AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket, WebSocketServer } from "ws"
import { compare, type Figures, scaled } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { type Program, type Service, startProgram, startService } from "./suite/programs.ts"

const CONNECTIONS = setting("CONNECTIONS", scaled(1000, 20))
const LINKS = setting("LINKS", scaled(100, 3))
const SETTLE_MS = scaled(2000, 100)

type Close = () => void

const keptAlive = async (url: string, path: string): Promise<Close> => {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  const [answer] = (await once(socket, "data")) as [Buffer]
  if (!answer.toString("latin1").startsWith("HTTP/1.1 200 ")) throw new Error(answer.toString())
  return () => socket.destroy()
}

const subscribed = async ({ url }: Service): Promise<Close> => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/v1/telemetry/live`, {
    perMessageDeflate: false
  })
  await once(socket, "open")
  return () => socket.terminate()
}

/** A simulator that sends its greeting, and nothing after it. */
const linked = async ({ url }: Service): Promise<Close> => {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    handleProtocols: () => "telemetry-feed.v1"
  })
  server.on("connection", (socket) =>
    socket.once("message", () => socket.send(JSON.stringify({ type: "welcome", simulator: "bench" })))
  )
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`${url}/api/v1/connect`, {
    method: "POST",
    body: JSON.stringify({ host: "127.0.0.1", port, app_name: "bench", simulator: "native" })
  })
  if (!answer.ok) throw new Error(await answer.text())
  return () => {
    for (const client of server.clients) client.terminate()
    server.close()
  }
}

/** One is opened before, so that no figure includes what is loaded and made only once. */
const measured = async <P extends Program>(
  start: () => Promise<P>,
  count: number,
  open: (program: P) => Promise<Close>
): Promise<Figures> => {
  const program = await start()
  const opened = [await open(program)]
  await sleep(SETTLE_MS)
  const before = program.memory().now
  for (let i = 0; i < count; i++) opened.push(await open(program))
  await sleep(SETTLE_MS)
  const figures = { "kB each": (program.memory().now - before) / count / 1024, "MB before": before / 2 ** 20 }
  for (const close of opened) close()
  await program.stop()
  return figures
}

await compare({
  title: `Memory of ${CONNECTIONS} HTTP connections and subscribers, and of ${LINKS} links`,
  subjects: [
    {
      name: "HTTP connection",
      run: () => measured(startService, CONNECTIONS, ({ url }) => keptAlive(url, "/api/v1/health"))
    },
    { name: "live subscriber", run: () => measured(startService, CONNECTIONS, subscribed) },
    { name: "link to a simulator", run: () => measured(startService, LINKS, linked) },
    {
      name: "HTTP connection, node:http",
      run: () =>
        measured(
          () => startProgram("baselines/answerHttp.ts", ["/", "{}"]),
          CONNECTIONS,
          ({ line }) => keptAlive(line, "/")
        )
    }
  ]
})
