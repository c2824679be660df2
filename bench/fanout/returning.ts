/**
 * Live clients that check the sequence (`sequence=1`), and come back where they left off.
 *
 * Each connects with `since`, and takes what it missed and what is live, until it has the last point. With `drops` each
 * client repeatedly loses its connection after a random number of messages, and comes back at once. Prints `open` when
 * all have been connected once, and a line of JSON (`Returned`) when all have the last point.
 *
 *   node returning.js JSON        (`ReturningOptions`)
 */
import { Client } from "./Client.ts"

export interface ReturningOptions {
  /** The URL of the live stream, with its query; `since` is added. */
  readonly url: string
  readonly clients: number
  readonly since: number
  readonly last: number
  /** Messages between two losses of a connection, on average; 0: no losses. */
  readonly drops: number
}

export interface Returned {
  readonly messages: number
  /** Points that a client got twice, or that were missing between two that it got. */
  readonly repeated: number
  readonly missed: number
  /** Connections beyond the first of each client. */
  readonly again: number
  readonly cpuSeconds: number
}

const SEQUENCE = '"sequence":'
const TELEMETRY = '"type":"telemetry"'

const run = async ({ clients, drops, last, since, url }: ReturningOptions): Promise<Returned> => {
  const result = { messages: 0, repeated: 0, missed: 0, again: 0 }

  const follow = (opened: () => void, done: () => void) => {
    let seen = since
    const connect = () => {
      // When a client is dropped, the rest of what was read at once is lost with it, and is sent again.
      let isDropped = false
      let left = drops === 0 ? Infinity : 1 + Math.floor(2 * drops * Math.random())
      const client = new Client({
        url: `${url}&since=${seen}`,
        protocol: "websocket",
        texts: true,
        onMessage: (text) => {
          if (isDropped || !text.includes(TELEMETRY)) return
          const sequence = Number.parseInt(text.slice(text.indexOf(SEQUENCE) + SEQUENCE.length), 10)
          result.messages++
          if (sequence <= seen) result.repeated++
          else result.missed += sequence - seen - 1
          seen = Math.max(seen, sequence)
          isDropped = seen >= last || --left <= 0
          if (isDropped) client.drop()
        },
        onClose: () => {
          if (seen >= last) return done()
          result.again++
          connect()
        }
      })
      void client.opened.then(opened)
    }
    connect()
  }

  const cpu = process.cpuUsage()
  let [toOpen, toEnd] = [clients, clients]
  await new Promise<void>((end) => {
    const done = () => {
      if (--toEnd === 0) end()
    }
    for (let n = 0; n < clients; n++) {
      let isFirst = true
      follow(() => {
        if (isFirst && --toOpen === 0) console.log("open")
        isFirst = false
      }, done)
    }
  })
  const { system, user } = process.cpuUsage(cpu)
  return { ...result, cpuSeconds: (user + system) / 1e6 }
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2]!) as ReturningOptions)))
