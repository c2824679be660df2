/** The order in which rows are sent, and the handling of refused rows. */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { POINTS } from "../../../src/domain/Dictionary.ts"
import { StoreUnavailable } from "../../../src/domain/errors.ts"
import { channels } from "../../../src/domain/pointChannels.ts"
import { RowLayout } from "../../../src/store/questdb/RowLayout.ts"
import * as RowSender from "../../../src/store/questdb/RowSender.ts"
import { RowsRefused, type Sender } from "../../../src/store/questdb/Sender.ts"
import { samplePoints } from "../../contracts/samples.ts"

const KEY = "7"
const all = samplePoints(0, 120_000, 1)
const layout = new RowLayout("points", channels)
const rowBytes = layout.rowBytes(KEY)
/** Before the first value: `points,session=7 time==` and the byte that announces a double. */
const FIRST_VALUE = "points,session=7 time==".length + 1

const timesIn = (rows: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength)
  return Array.from({ length: rows.length / rowBytes }, (_, i) =>
    view.getFloat64(i * rowBytes + FIRST_VALUE, true)
  )
}

/** A slow server that refuses requests with one of these times, and is away after so many requests. */
const serverOf = ({
  awayAfter = Infinity,
  bad = new Set<number>()
}: {
  readonly awayAfter?: number
  readonly bad?: ReadonlySet<number>
}) => {
  const server = { kept: [] as Array<number>, requests: 0, underWay: 0, mostUnderWay: 0 }
  const sender: Sender = {
    send: (rows) =>
      Effect.gen(function* () {
        server.requests++
        server.mostUnderWay = Math.max(server.mostUnderWay, ++server.underWay)
        yield* Effect.promise(() => new Promise((done) => setImmediate(done)))
        yield* Effect.yieldNow()
        // Read at the end: the bytes must still be those of this request.
        const times = timesIn(rows)
        server.underWay--
        if (server.requests > awayAfter) {
          return yield* new StoreUnavailable({ store: "questdb", cause: new Error("away") })
        }
        if (times.some((time) => bad.has(time))) return yield* new RowsRefused({ reason: "bad" })
        for (const time of times) server.kept.push(time)
      })
  }
  return { server, rows: RowSender.make(sender) }
}

const run = (from: number, to: number): RowSender.RowRange => ({
  layout,
  group: POINTS,
  key: KEY,
  batch: all,
  from,
  to
})

describe("rows on their way to QuestDB", () => {
  it.live("are sent in order, one request at a time, each once", () =>
    Effect.gen(function* () {
      const { rows, server } = serverOf({})
      yield* rows.send([run(0, 10), run(10, 70_000), run(70_000, 120_000)])
      expect(server.kept).toEqual([...all.timestamps])
      expect([server.requests, server.mostUnderWay]).toEqual([3, 1])
      yield* rows.send([])
      expect(server.requests).toBe(3)
    })
  )

  it.live("are all kept except the bad ones", () =>
    Effect.gen(function* () {
      const bad = new Set([0, 17, 60_000, 60_001, 119_999])
      const { rows, server } = serverOf({ bad })
      yield* rows.send([run(0, 120_000)])
      expect(server.kept).toEqual([...all.timestamps].filter((time) => !bad.has(time)))
      expect(server.mostUnderWay).toBe(1)
    })
  )

  it.live("stop at the failed request, so that the stored rows are the first ones", () =>
    Effect.gen(function* () {
      const { rows, server } = serverOf({ awayAfter: 1 })
      const exit = yield* Effect.exit(rows.send([run(0, 120_000)]))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(server.kept).toEqual([...all.timestamps.subarray(0, 50_000)])
      expect(server.requests).toBe(2)
    })
  )
})
