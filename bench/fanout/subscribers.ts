/**
 * Thousands of live clients. All count their messages; some also read them: when each was due at the feed, and whether
 * they are in order.
 *
 * Prints `open` when all are connected; `warm` when all have the messages of the warm-up; and a line of JSON
 * (`Received`) when they have the others too, or no more arrive. Then it waits to be ended, by a signal or by its
 * server's end.
 *
 *   node subscribers.js JSON        (`SubscribersOptions`)
 */
import { FEED_ZERO, monotonic } from "../suite/clock.ts"
import { quantiles } from "../suite/figures.ts"
import { Client, type LiveClientOptions } from "./Client.ts"

export interface SubscribersOptions extends Pick<LiveClientOptions, "url" | "protocol"> {
  readonly clients: number
  /** False: the clients subscribe and never read. */
  readonly read: boolean
  /** Messages that each client gets before anything is measured. */
  readonly warmUp: number
  /** Messages that each client gets after that. */
  readonly messages: number
}

/** Counts and delays of the clients after the warm-up. */
export interface Received {
  /** Over all clients. */
  readonly messages: number
  /** Messages with a timestamp not later than the one before. */
  readonly disordered: number
  /** From the time when a point was due at the feed until it arrived here, ms. */
  readonly p50: number
  readonly p99: number
  /** CPU of this process for the messages. */
  readonly cpuSeconds: number
}

/** The number of clients that read their messages. */
const TIMED = 25
/** Connections that are opened at once: fewer than a listening socket's queue holds. */
const AT_ONCE = 100
/** If nothing arrives for this long, nothing will. */
const PATIENCE_MS = 5000
const TIMESTAMP = '"timestamp":'

let messages = 0
let wanted = 0
let complete = () => {}
let disordered = 0
let latencies: Array<number> = []

const count = () => {
  if (++messages === wanted) complete()
}

const reader = () => {
  let last = -Infinity
  return (text: string) => {
    const now = monotonic()
    const timestamp = Number.parseFloat(text.slice(text.indexOf(TIMESTAMP) + TIMESTAMP.length))
    if (!(timestamp > last)) disordered++
    last = timestamp
    latencies.push((now - (timestamp - FEED_ZERO)) * 1000)
    count()
  }
}

const connectAll = async ({ clients, protocol, read, url }: SubscribersOptions) => {
  let connected = 0
  const onClose = () => {
    if (--connected === 0) process.exit()
  }
  const everyNth = Math.max(1, Math.floor(clients / TIMED))
  while (connected < clients) {
    const next = Array.from({ length: Math.min(AT_ONCE, clients - connected) }, (_, i) => {
      const texts = (connected + i) % everyNth === 0
      return new Client({ url, protocol, texts, onMessage: texts ? reader() : count, onClose })
    })
    connected += next.length
    await Promise.all(next.map((client) => client.opened))
    if (!read) for (const client of next) client.stall()
  }
}

/** Waits until this many more messages have arrived, or no more do. */
const received = async (more: number): Promise<void> => {
  wanted += more
  if (messages >= wanted) return
  const before = messages
  let seen = before
  const done = new Promise<void>((resolve) => (complete = resolve))
  const watch = setInterval(() => {
    if (messages > before && messages === seen) complete()
    seen = messages
  }, PATIENCE_MS)
  await done
  clearInterval(watch)
}

const run = async (options: SubscribersOptions) => {
  await connectAll(options)
  console.log("open")
  if (!options.read) return
  await received(options.warmUp * options.clients)
  console.log("warm")
  const before = messages
  latencies = []
  disordered = 0
  const cpu = process.cpuUsage()
  await received(options.messages * options.clients)
  const { system, user } = process.cpuUsage(cpu)
  const result: Received = {
    messages: messages - before,
    disordered,
    ...quantiles(latencies),
    cpuSeconds: (user + system) / 1e6
  }
  console.log(JSON.stringify(result))
}

await run(JSON.parse(process.argv[2]!) as SubscribersOptions)
