/**
 * Crowds of clients beside a car that is recorded at 60 Hz: they resume a long session and leave at once, resume it and stay, or
 * download it, or a session of 501 channels, and read nothing. The figures are how long the event loop stands still, how late the
 * recorded points reach another live client, and the memory, at its highest and when the crowd has gone. No recorded point may be missing.
 *
 *   npm run bench -- overload        (RUNS, CLIENTS, ONLY=part of a subject by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Client } from "./fanout/Client.ts"
import { serveCar } from "./fanout/feed.ts"
import type { Crowded, CrowdOptions } from "./overload/crowd.ts"
import type { Stillness } from "./overload/stillness.ts"
import { FEED_ZERO, monotonic } from "./suite/clock.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { quantiles } from "./suite/figures.ts"
import { startProgram, startService } from "./suite/programs.ts"
import { connectTo } from "./suite/simulated.ts"

const MIB = 2 ** 20
/** Number of points of the earlier session, and their rate, Hz. */
const BEFORE = scaled(50_000, 500)
const BEFORE_HZ = 10_000
const HZ = 60
/** The session of many channels. */
const WIDE = { feeds: 1, points: scaled(6000, 60), perMessage: 10, rate: HZ, realTime: false, channels: 501 }
/** Duration of the recording beside a crowd, s. */
const SECONDS = scaled(20, 2)
/** A crowd that reads nothing stays for this time, s. */
const STAYS_S = scaled(15, 1)
const CROWDS = (process.env["CLIENTS"] ?? scaled(1000, 5).toString()).split(",").map(Number)

const stillness = fileURLToPath(new URL("overload/stillness.ts", import.meta.url))

type Does = CrowdOptions["does"] | "deaf to 501 channels" | "nothing"

const beside = async (does: Does, clients: number): Promise<Figures> => {
  const feed = await serveCar()
  const service = await startService([], ["--import", stillness])
  const api = `${service.url}/api/v1`
  const ask = async (path: string, method: string, body: object) => {
    const answer = await fetch(api + path, { method, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const stored = async (of = feed.port) => {
    const { connections } = (await (await fetch(`${api}/status`)).json()) as {
      readonly connections: ReadonlyArray<{ readonly points_stored: number; readonly port: number }>
    }
    return connections.find(({ port }) => port === of)?.points_stored ?? 0
  }
  const connection = { host: "127.0.0.1", port: feed.port, app_name: "bench" }
  await ask("/config", "PUT", {
    connection,
    telemetry_rate: 10_000,
    auto_export: false,
    export_format: "csv"
  })
  await ask("/connect", "POST", { ...connection, simulator: "native" })
  while (feed.readers() === 0) await sleep(10)
  await feed.send(BEFORE, BEFORE_HZ)
  while ((await stored()) < BEFORE) await sleep(50)

  const isWide = does === "deaf to 501 channels"
  const wide = isWide ? await startProgram("suite/packedFeeds.ts", [JSON.stringify(WIDE)]) : undefined
  if (wide !== undefined) {
    const [port] = JSON.parse(wide.line) as [number]
    await connectTo(service.url, port, "native")
    await wide.nextLine()
    while ((await stored(port)) < WIDE.points) await sleep(50)
    await wide.stop()
  }

  const delays: Array<number> = []
  const live = new Client({
    url: `${api.replace("http", "ws")}/telemetry/live?session_id=1`,
    protocol: "websocket",
    texts: true,
    onMessage: (text) => {
      const { data } = JSON.parse(text) as { readonly data: { readonly timestamp: number } }
      delays.push((FEED_ZERO + monotonic() - data.timestamp) * 1000)
    },
    onClose: () => {}
  })
  await live.opened
  const still = async () => {
    process.kill(service.pid, "SIGUSR2")
    return JSON.parse(await service.nextLine()) as Stillness
  }
  await still()
  service.forgetPeak()
  const recording = feed.send(HZ * SECONDS, HZ)
  await sleep(scaled(1000, 100))
  const before = service.memory().now
  let crowded: Crowded = { ms: 0, refused: 0 }
  let during = 0
  if (does !== "nothing") {
    const url = isWide
      ? `${api}/telemetry/range?session_id=2&channels=*`
      : does === "deaf"
        ? `${api}/telemetry/range?session_id=1`
        : `${api}/telemetry/live?session_id=1&sequence=1&since=0`
    const options: CrowdOptions = { url, clients, does: isWide ? "deaf" : does }
    const crowd = await startProgram("overload/crowd.ts", [JSON.stringify(options)])
    crowded = JSON.parse(crowd.line) as Crowded
    if (does !== "leave") {
      await sleep(STAYS_S * 1000)
      during = service.memory().now
    }
    await crowd.stop("SIGKILL")
  }
  await recording
  const longest = await still()
  while ((await stored()) < BEFORE + HZ * SECONDS) await sleep(50)
  const { peak } = service.memory()
  await sleep(scaled(10_000, 100))
  const { now } = service.memory()
  const received = delays.length
  live.drop()
  await service.stop()
  feed.close()
  const { p50, p99 } = quantiles(delays)
  return {
    "ms still at most": longest.still,
    "ms of it busy at most": longest.busy,
    "ms live p50": p50,
    "ms live p99": p99,
    "live points not received": HZ * SECONDS - received,
    "ms of the crowd": crowded.ms,
    refused: crowded.refused,
    "MiB before": before / MIB,
    "MiB with the crowd": during / MIB,
    "MiB at most": peak / MIB,
    "MiB after 10 s": now / MIB
  }
}

const subjects = [
  { name: "no crowd", run: () => beside("nothing", 0) },
  ...CROWDS.flatMap((clients) =>
    (["leave", "resume", "deaf", "deaf to 501 channels"] as const).map((does) => ({
      name: `${clients} ${does}`,
      run: () => beside(does, clients)
    }))
  )
].filter(({ name }) => wanted(name))
await compare({ title: `crowds of clients beside one car at ${HZ} Hz`, subjects })
