/**
 * Four packed native feeds through a program that stores them and fans them out to 100 live subscribers, each of which
 * watches all four sessions at 60 Hz. Feeds and subscribers are processes of their own, on the same cores.
 *
 * A run ends when all points are acknowledged as stored; they are counted in the store afterwards. "Durable" is the
 * time from when a point was due (paced feeds send a message when its last point is due) until /status counted it as
 * stored, to within the 10 ms between two requests. "Live" is the time until a subscriber had the message.
 */
import type { AudienceFigures } from "./audience.ts"
import { channelGroups } from "./benchGroups.ts"
import { compare, type Figures, type Ratio, scaled, wanted } from "./comparison.ts"
import { setting } from "./figures.ts"
import type { PackedFeedsOptions, SendTimes } from "./packedFeeds.ts"
import { type Program, startProgram, untilQuiet } from "./programs.ts"
import { durableAfter, untilStored } from "./storedCounts.ts"

/** Sessions recorded at once. */
export const FEEDS = 4
const PER_MESSAGE = 100
const SUBSCRIBERS = scaled(100, 10)
/** Recorded first, so that neither program is measured while its code is being compiled. */
const WARM_UP_POINTS = scaled(400_000, 4000)
/**
 * Then the feed is recorded once, with subscribers: a paced one for so long. Until then code is still being compiled, and heaps
 * grow: in the first six seconds at a million points a second, the service takes 1.7 times as much CPU as after them.
 */
const SETTLING_S = scaled(10, 1)

const PLAIN = "plain program"
const SERVICE = "service"
const RATE = "M points/s"
const CPU = "us CPU a point"
const VALUE_CPU = "ns CPU a value"
const LIVE_P99 = "live p99, ms"
/** Values of a point. */
const TEN = 10

export interface Ingesting {
  /** Over all feeds. */
  readonly points: number
  /** Hz, over all feeds; undefined: as fast as they are read. */
  readonly rate: number | undefined
  /** `FEEDS` by default. */
  readonly feeds?: number
  /** Channels of each feed beyond the ten, with a sample at each point. */
  readonly channels?: number
  /** Whether points report their lap and the distance in it. */
  readonly lapColumns?: boolean
}

/** Ingests so many feeds for ten seconds; `rate`: of each feed, Hz. */
export const paced = (feeds: number, channels: number, rate: number): Ingesting => ({
  feeds,
  channels,
  points: feeds * rate * scaled(10, 1),
  rate: feeds * rate
})

/** The contents of a store: points, samples of other groups, and the bytes of their blocks if it has blocks. */
export interface Kept {
  readonly points: number
  readonly samples?: number
  readonly bytes?: number
}

/** The program that ingests, and its store's contents. */
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

/** The number of samples that come with the points. */
const samplesOf = ({ channels = 0, feeds, lapColumns = false, points }: PackedFeedsOptions): number =>
  feeds * points * (channelGroups(channels).length + (lapColumns ? 1 : 0))

/** Sends the feeds' points; lasts from the moment when they begin until all are stored. */
const ingest = async ({ program, url }: Ingester, feed: PackedFeedsOptions) => {
  const feeds = await startProgram("suite/packedFeeds.ts", [JSON.stringify(feed)])
  const addresses = (JSON.parse(feeds.line) as ReadonlyArray<number>).map((port) => ({
    host: "127.0.0.1",
    port
  }))
  const cpuBefore = program.cpuSeconds()
  await Promise.all(
    addresses.map((address) => post(url, "connect", { ...address, app_name: "bench", simulator: "native" }))
  )
  const looks = await untilStored(url, feed.points * feed.feeds, samplesOf(feed))
  const cpuSeconds = program.cpuSeconds() - cpuBefore
  const { first } = JSON.parse(await feeds.nextLine()) as SendTimes
  await Promise.all(addresses.map((address) => post(url, "disconnect", address)))
  await feeds.stop()
  return { looks, cpuSeconds, first }
}

/** `ingest` with subscribers, and the delays of their messages. */
const listenedTo = async (ingester: Ingester, feed: PackedFeedsOptions) => {
  const live = `${ingester.url.replace("http", "ws")}/api/v1/telemetry/live?rate=60`
  const audience = await startProgram("suite/audience.ts", [live, String(SUBSCRIBERS)])
  const ingested = await ingest(ingester, feed)
  process.kill(audience.pid, "SIGUSR2")
  const heard = JSON.parse(await audience.nextLine()) as AudienceFigures
  if (heard.messages < SUBSCRIBERS * feed.feeds || heard.disordered > 0) {
    throw new Error(`${SUBSCRIBERS} subscribers of ${feed.feeds} sessions: ${JSON.stringify(heard)}`)
  }
  await audience.stop()
  return { ...ingested, heard }
}

const run = async (start: () => Promise<Ingester>, ingesting: Ingesting): Promise<Figures> => {
  const { channels = 0, feeds = FEEDS, lapColumns = false, points, rate } = ingesting
  const feed: PackedFeedsOptions = {
    feeds,
    points: points / feeds,
    perMessage: Math.min(PER_MESSAGE, Math.ceil((rate ?? Infinity) / feeds / 60)),
    // Without pacing, the rate of a simulator that is replayed fast.
    rate: (rate ?? 1000 * feeds) / feeds,
    realTime: rate !== undefined,
    channels,
    lapColumns
  }
  const ingester = await start()
  // As many values as without channels.
  const warmUpPoints = Math.ceil(WARM_UP_POINTS / feeds / (1 + channels / 10))
  const fast = { ...feed, points: warmUpPoints, perMessage: PER_MESSAGE, realTime: false }
  const settling = rate === undefined ? feed : { ...feed, points: Math.ceil(rate / feeds) * SETTLING_S }
  await ingest(ingester, fast)
  await listenedTo(ingester, settling)
  await untilQuiet(ingester.program)
  const { cpuSeconds, first, heard, looks } = await listenedTo(ingester, feed)
  const kept = await ingester.kept()
  const all = [fast, settling, feed]
  const sent = all.reduce((sum, { points }) => sum + feeds * points, 0)
  const samples = all.reduce((sum, one) => sum + samplesOf(one), 0)
  if (kept.points !== sent || (kept.samples ?? samples) !== samples) {
    throw new Error(`${JSON.stringify(kept)} are in the store of ${sent} points and ${samples} samples`)
  }
  await ingester.stop()
  const seconds = looks.at(-1)!.at - first
  const values = points * (TEN + channels + channelGroups(channels).length + (lapColumns ? 3 : 0))
  const figures = {
    [CPU]: (cpuSeconds / points) * 1e6,
    ...(channels > 0 || lapColumns
      ? {
          [VALUE_CPU]: (cpuSeconds / values) * 1e9,
          "M values/s": values / seconds / 1e6,
          "of a core, %": (cpuSeconds / seconds) * 100
        }
      : {}),
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

/** The store's name in titles, and how to start the service and the plain program with it. */
export interface Storing {
  readonly into: string
  readonly service: () => Promise<Ingester>
  readonly plain: () => Promise<Ingester>
  /** Points that are sent as fast as they are read. */
  readonly points: number
  /** Hz, over all feeds. */
  readonly rates: ReadonlyArray<number>
  /** The least ratio of points a second that is the goal. */
  readonly least: number
}

/** Compares the service with the plain program, if the title is selected. */
const compared = async (
  title: string,
  { plain, service }: Pick<Storing, "plain" | "service">,
  ingesting: Ingesting,
  ratios: ReadonlyArray<Omit<Ratio, "of" | "to">>
): Promise<void> => {
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

/** Compares them with channels beyond the ten. */
export const compareChannels = (
  title: string,
  storing: Pick<Storing, "plain" | "service">,
  ingesting: Ingesting
): Promise<void> =>
  compared(`${title}, ${SUBSCRIBERS} subscribers`, storing, ingesting, [
    { figure: VALUE_CPU },
    ...(ingesting.rate === undefined ? [] : [{ figure: LIVE_P99 }])
  ])

/** Compares them at saturation, and at each rate. */
export const compareIngest = async ({ into, least, points, rates, ...storing }: Storing): Promise<void> => {
  const audience = `${FEEDS} feeds, packed by ${PER_MESSAGE}, ${SUBSCRIBERS} subscribers`
  await compared(
    `${into} at saturation: ${points} points, ${audience}`,
    storing,
    { points, rate: undefined },
    [{ figure: RATE, goal: { least } }, { figure: CPU }]
  )
  for (const rate of rates) {
    const seconds = setting("SECONDS", scaled(rate < 1000 ? 10 : 5, 0.5))
    await compared(
      `${into} at ${rate} points/s for ${seconds} s, ${audience}`,
      storing,
      { points: rate * seconds, rate },
      [{ figure: CPU }, { figure: LIVE_P99 }]
    )
  }
}
