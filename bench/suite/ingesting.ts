/**
 * Four packed native feeds through a program that stores them and fans them out to 100 live subscribers, each of which
 * watches all four sessions at 60 Hz. Feeds and subscribers are processes of their own, on the same cores.
 *
 * A run ends when all points are acknowledged as stored; they are counted in the store afterwards. Durable is from the
 * moment that a point was due (paced feeds send a message when its last point is) until /status counted it as stored, to
 * within the 10 ms between two looks; live is until a subscriber had the message.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { AudienceFigures } from "./audience.ts"
import { monotonic } from "./clock.ts"
import { compare, type Figures, type Ratio, scaled, wanted } from "./comparison.ts"
import { quantiles } from "./figures.ts"
import type { PackedFeedsOptions, SendTimes } from "./packedFeeds.ts"
import { type Program, startProgram, untilQuiet } from "./programs.ts"

/** Sessions recorded at once. */
export const FEEDS = 4
const PER_MESSAGE = 100
const SUBSCRIBERS = scaled(100, 10)
/** A look costs the service a request. */
const LOOK_EVERY_MS = 10
/** Recorded before, so that neither program is measured while its code is being compiled. */
const WARM_UP_POINTS = scaled(400_000, 4000)

const PLAIN = "plain program"
const SERVICE = "service"
const RATE = "M points/s"
const CPU = "us CPU a point"
const LIVE_P99 = "live p99, ms"

interface Ingesting {
  /** Of all feeds together. */
  readonly points: number
  /** Hz, of all feeds together; undefined: as fast as they are read. */
  readonly rate: number | undefined
}

interface Counts {
  readonly points_received: number
  readonly points_stored: number
  readonly points_dropped: number
  readonly points_rejected: number
}

/** What a store holds: points, and bytes of their blocks where it has such. */
export interface Kept {
  readonly points: number
  readonly bytes?: number
}

/** The program that ingests, and what it keeps. */
export interface Ingester {
  readonly program: Program
  readonly url: string
  readonly kept: () => Promise<Kept>
  readonly stop: () => Promise<void>
}

const post = async (url: string, path: string, body: object) => {
  const { status } = await fetch(`${url}/api/v1/${path}`, { method: "POST", body: JSON.stringify(body) })
  if (status !== 200) throw new Error(`${path} was answered ${status}`)
}

/** The feeds' points from the moment when they begin until all are stored. */
const ingest = async ({ program, url }: Ingester, feed: PackedFeedsOptions) => {
  const feeds = await startProgram("suite/packedFeeds.js", [JSON.stringify(feed)])
  const addresses = (JSON.parse(feeds.line) as ReadonlyArray<number>).map((port) => ({
    host: "127.0.0.1",
    port
  }))
  const cpuBefore = program.cpuSeconds()
  await Promise.all(
    addresses.map((address) => post(url, "connect", { ...address, app_name: "bench", simulator: "native" }))
  )
  const looks = await untilStored(url, feed.points * feed.feeds)
  const cpuSeconds = program.cpuSeconds() - cpuBefore
  const { first } = JSON.parse(await feeds.nextLine()) as SendTimes
  await Promise.all(addresses.map((address) => post(url, "disconnect", address)))
  await feeds.stop()
  return { looks, cpuSeconds, first }
}

const countsOf = async (url: string): Promise<Counts> => {
  const { connections } = (await (await fetch(`${url}/api/v1/status`)).json()) as {
    readonly connections: ReadonlyArray<Counts>
  }
  const sum = (key: keyof Counts) => connections.reduce((total, counts) => total + counts[key], 0)
  return {
    points_received: sum("points_received"),
    points_stored: sum("points_stored"),
    points_dropped: sum("points_dropped"),
    points_rejected: sum("points_rejected")
  }
}

interface Look {
  readonly at: number
  readonly stored: number
}

/** Looks until all points are stored. */
const untilStored = async (url: string, points: number): Promise<ReadonlyArray<Look>> => {
  const looks: Array<Look> = []
  for (;;) {
    const counts = await countsOf(url)
    if (counts.points_dropped + counts.points_rejected > 0)
      throw new Error(`lost points: ${JSON.stringify(counts)}`)
    looks.push({ at: monotonic(), stored: counts.points_stored })
    if (counts.points_stored === points) return looks
    await sleep(LOOK_EVERY_MS)
  }
}

/** When the points were seen stored after they were due, ms; each look weighs as many points as it brought. */
const durableAfter = (looks: ReadonlyArray<Look>, first: number, rate: number) => {
  const delays: Array<number> = []
  let before = 0
  for (const { at, stored } of looks) {
    const middle = (before + stored) / 2
    const weight = Math.round(((stored - before) / looks.at(-1)!.stored) * 10_000)
    for (let i = 0; i < weight; i++) delays.push((at - first - middle / rate) * 1000)
    before = stored
  }
  return quantiles(delays)
}

const run = async (start: () => Promise<Ingester>, { points, rate }: Ingesting): Promise<Figures> => {
  const feed: PackedFeedsOptions = {
    feeds: FEEDS,
    points: points / FEEDS,
    perMessage: Math.min(PER_MESSAGE, Math.ceil((rate ?? Infinity) / FEEDS / 60)),
    // Unpaced, as many as a simulator gives that is replayed fast.
    rate: (rate ?? 1000 * FEEDS) / FEEDS,
    realTime: rate !== undefined
  }
  const ingester = await start()
  const warmUp = { ...feed, points: WARM_UP_POINTS / FEEDS, perMessage: PER_MESSAGE, realTime: false }
  await ingest(ingester, warmUp)
  await untilQuiet(ingester.program)
  const live = `${ingester.url.replace("http", "ws")}/api/v1/telemetry/live?rate=60`
  const audience = await startProgram("suite/audience.js", [live, String(SUBSCRIBERS)])
  const { cpuSeconds, first, looks } = await ingest(ingester, feed)
  process.kill(audience.pid, "SIGUSR2")
  const heard = JSON.parse(await audience.nextLine()) as AudienceFigures
  if (heard.messages < SUBSCRIBERS * FEEDS || heard.disordered > 0) {
    throw new Error(`${SUBSCRIBERS} subscribers of ${FEEDS} sessions: ${JSON.stringify(heard)}`)
  }
  const kept = await ingester.kept()
  if (kept.points !== points + WARM_UP_POINTS) {
    throw new Error(`${kept.points} points are in the store of ${points + WARM_UP_POINTS}`)
  }
  await Promise.all([audience.stop(), ingester.stop()])
  const seconds = looks.at(-1)!.at - first
  const figures = {
    [CPU]: (cpuSeconds / points) * 1e6,
    "live messages/s": heard.messages / seconds
  }
  if (rate === undefined) {
    return {
      [RATE]: points / seconds / 1e6,
      ...figures,
      ...(kept.bytes === undefined ? {} : { "bytes a point": kept.bytes / kept.points })
    }
  }
  const durable = durableAfter(looks, first, rate)
  return {
    ...figures,
    "durable p50, ms": durable.p50,
    "durable p99, ms": durable.p99,
    "live p50, ms": heard.p50,
    [LIVE_P99]: heard.p99
  }
}

/** Where points are stored, as titles have it; how the service that does is started, and the plain program. */
export interface Storing {
  readonly into: string
  readonly service: () => Promise<Ingester>
  readonly plain: () => Promise<Ingester>
  /** Points that are sent as fast as they are read. */
  readonly points: number
  /** Hz, of all feeds together. */
  readonly rates: ReadonlyArray<number>
}

/** Compares the service with the plain program: at saturation, and at each rate. */
export const compareIngest = async ({ into, plain, points, rates, service }: Storing): Promise<void> => {
  const compared = async (
    title: string,
    ingesting: Ingesting,
    ratios: ReadonlyArray<Omit<Ratio, "of" | "to">>
  ) => {
    if (!wanted(title)) return
    await compare({
      title,
      subjects: [
        { name: PLAIN, run: () => run(plain, ingesting) },
        { name: SERVICE, run: () => run(service, ingesting) }
      ],
      ratios: ratios.map((ratio) => ({ ...ratio, of: SERVICE, to: PLAIN }))
    })
  }
  const audience = `${FEEDS} feeds, packed by ${PER_MESSAGE}, ${SUBSCRIBERS} subscribers`
  await compared(`${into} at saturation: ${points} points, ${audience}`, { points, rate: undefined }, [
    { figure: RATE, goal: { least: 0.8 } },
    { figure: CPU }
  ])
  for (const rate of rates) {
    const seconds = scaled(rate < 1000 ? 10 : 5, 0.5)
    await compared(
      `${into} at ${rate} points/s for ${seconds} s, ${audience}`,
      { points: rate * seconds, rate },
      [{ figure: CPU }, { figure: LIVE_P99 }]
    )
  }
}
