/**
 * A service that records one car at 60 Hz, attacked from all sides for MINUTES, and then left alone with the car for ALONE
 * minutes: crowds that resume and leave, that resume and stay and that read nothing of downloads, each ended and started again every
 * few seconds; hostile feeds of six kinds, one after another; datagrams of random bytes at a game's port. The figures are the memory
 * before, at its highest, and when it was left alone, compared with a service that was not attacked. No point of the car may be missing.
 *
 *   npm run bench -- attack        (MINUTES, ALONE, CLIENTS, RUNS, ONLY=part of a subject by environment)
 */
import { randomBytes } from "node:crypto"
import { createSocket } from "node:dgram"
import { setTimeout as sleep } from "node:timers/promises"
import { f1Feed, freeUdpPort } from "./beside/gameFeed.ts"
import { serveCar } from "./fanout/feed.ts"
import type { CrowdOptions } from "./overload/crowd.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { type Service, startProgram, startService } from "./suite/programs.ts"
import { connectTo } from "./suite/simulated.ts"

const MINUTES = setting("MINUTES", scaled(10, 0.05))
const ALONE = setting("ALONE", scaled(5, 0.05))
/** Clients of each kind. */
const CLIENTS = setting("CLIENTS", scaled(100, 5))
const HZ = 60
const MIB = 2 ** 20
const MINUTE_MS = 60_000
/** A crowd stays for so long. */
const STAYS_MS = scaled(5000, 300)
/** Each flood lasts this part of the attack; of floods' feeds one is connected at a time. */
const FLOODS = ["sessions", "laps", "points of nothing", "long texts", "deep JSON", "many keys"]
/** Datagrams per second, as many as sixteen games send. */
const DATAGRAMS = 1000
const LONGEST_DATAGRAM = 1500

const crowds = (api: string, until: number) =>
  (["leave", "resume", "deaf"] as const).map(async (does) => {
    const url =
      does === "deaf"
        ? `${api}/telemetry/range?session_id=1`
        : `${api}/telemetry/live?session_id=1&sequence=1&since=0`
    const options: CrowdOptions = { url, clients: CLIENTS, does }
    while (performance.now() < until) {
      const crowd = await startProgram("overload/crowd.ts", [JSON.stringify(options)])
      await sleep(STAYS_MS)
      await crowd.stop("SIGKILL")
    }
  })

const floods = async (url: string, until: number) => {
  const each = (until - performance.now()) / FLOODS.length
  for (const kind of FLOODS) {
    const flood = await startProgram("hostile/flood.ts", [kind])
    const port = Number(flood.line)
    await connectTo(url, port, "native")
    await sleep(each)
    await flood.stop("SIGKILL")
    const body = JSON.stringify({ host: "127.0.0.1", port, app_name: "bench" })
    await fetch(`${url}/api/v1/disconnect`, { method: "POST", body })
  }
}

const datagrams = async (port: number, until: number) => {
  const socket = createSocket("udp4")
  while (performance.now() < until) {
    for (let n = 0; n < DATAGRAMS / 100; n++)
      socket.send(randomBytes(1 + Math.floor(Math.random() * LONGEST_DATAGRAM)), port, "127.0.0.1")
    await sleep(10)
  }
  socket.close()
}

const attack = async (service: Service, udpPort: number) => {
  const until = performance.now() + MINUTES * MINUTE_MS
  const api = `${service.url}/api/v1`
  await Promise.all([...crowds(api, until), floods(service.url, until), datagrams(udpPort, until)])
}

interface Status {
  readonly connections: ReadonlyArray<{
    readonly port: number
    readonly points_received: number
    readonly points_stored: number
  }>
}

const measured = async (isAttacked: boolean): Promise<Figures> => {
  const feed = await serveCar()
  const service = await startService()
  const car = async () => {
    const { connections } = (await (await fetch(`${service.url}/api/v1/status`)).json()) as Status
    return connections.find(({ port }) => port === feed.port)!
  }
  await connectTo(service.url, feed.port, "native")
  // A connection is known by its address: the game's port may not be the car's.
  let udpPort = await freeUdpPort()
  while (udpPort === feed.port) udpPort = await freeUdpPort()
  const [game] = await Promise.all([f1Feed(udpPort, []), connectTo(service.url, udpPort, "f1")])
  while (feed.readers() === 0) await sleep(10)
  const points = HZ * 60 * (MINUTES + ALONE)
  const driving = feed.send(points, HZ)
  await sleep(scaled(5000, 300))
  const before = service.memory().now
  service.forgetPeak()
  if (isAttacked) await attack(service, udpPort)
  else await sleep(MINUTES * MINUTE_MS)
  const { now: then, peak } = service.memory()
  await driving
  const { now: after } = service.memory()
  await game.stop()
  while ((await car()).points_stored < points) await sleep(50)
  await service.stop()
  feed.close()
  return {
    "MiB before": before / MIB,
    "MiB at most": peak / MIB,
    "MiB at the attack's end": then / MIB,
    "MiB when left alone": after / MIB
  }
}

const QUIET = "left in peace"
const ATTACKED = "attacked"
const subjects = [
  { name: QUIET, run: () => measured(false) },
  { name: ATTACKED, run: () => measured(true) }
].filter(({ name }) => wanted(name))
await compare({
  title: `${3 * CLIENTS} clients, hostile feeds and datagrams for ${MINUTES} minutes, then ${ALONE} alone`,
  subjects,
  ratios: subjects.length < 2 ? [] : [{ figure: "MiB when left alone", of: ATTACKED, to: QUIET }]
})
