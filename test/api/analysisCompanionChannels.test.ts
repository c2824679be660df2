/** The analysis reads stored groups; a session without them gets the same answers without their help. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { allChannels } from "../../src/domain/ChannelSet.ts"
import { POINTS, emptyDictionary } from "../../src/domain/Dictionary.ts"
import type { RecordedLap } from "../../src/domain/Lap.ts"
import { drive } from "../analysis/lapData.ts"
import { reportedLap, withWheels } from "../analysis/companionChannels.ts"
import { sending, type Service, service } from "../support/service.ts"
import { START, storeSession } from "./stored.ts"

const from = drive("Larkspur Park", 1, 27)
const driven = [1, 2, 3, 4, 5].map((lap) => withWheels(reportedLap(from, lap, 10, 0, START), from, START))
const wheels = ["fl", "fr", "rl", "rr"].map((wheel) => `wheel_speed_${wheel}`)
const groups = [
  { name: "lap", channels: [{ name: "current_lap" }, { name: "lap_distance" }] },
  { name: "wheels", channels: wheels.map((name) => ({ name })) }
]

/** The laps, with these channels of the groups. */
const store = Effect.fnUntraced(function* (running: Service, names: ReadonlyArray<string>) {
  const { id } = yield* storeSession(running)
  const declared = groups.filter(({ name }) => names.includes(name))
  if (declared.length > 0) {
    const { dictionary } = emptyDictionary.withDeclared(allChannels).withGroups(declared)
    yield* running.catalog.putDictionary(id, dictionary)
  }
  const laps: Array<Omit<RecordedLap, "id">> = []
  for (const data of driven) {
    const { id: _, ...lap } = data.lap
    laps.push({ ...lap, sessionId: id })
    yield* running.points.write([{ sessionId: id, group: POINTS, batch: data.points }])
    for (const { batch } of data.around!) {
      const group = batch.channels.includes("lap_distance") ? "lap" : "wheels"
      if (!names.includes(group)) continue
      const from = batch.timestamps.findIndex((time) => time >= lap.startTime)
      const until = batch.timestamps.findIndex((time) => time >= lap.endTime)
      const own = batch.slice(from, until < 0 ? batch.length : until)
      yield* running.points.write([{ sessionId: id, group, batch: own }])
    }
  }
  const recorded = yield* running.catalog.addLaps(laps)
  return { id, lapIds: recorded.map(({ id }) => id) }
}, Effect.orDie)

it.scopedLive(
  "laps are placed by the stored distance and judged by the stored wheels, if there are any",
  () =>
    Effect.gen(function* () {
      const running = yield* service()
      const comparing = ({ lapIds }: { readonly lapIds: ReadonlyArray<number> }, more = {}) =>
        Effect.map(
          running.json("/api/v1/analysis/compare", sending("POST", { lap_ids: lapIds.slice(1), ...more })),
          ({ body }) =>
            body as {
              readonly method: string
              readonly losses: ReadonlyArray<{ readonly lap_id: number; readonly cause: string | null }>
            }
        )
      const slipping = ({ id }: { readonly id: number }) =>
        Effect.map(running.json(`/api/v1/analysis/anomalies/${id}`), ({ body }) =>
          (body as { readonly anomalies: ReadonlyArray<{ readonly channel: string }> }).anomalies.filter(
            ({ channel }) => channel.startsWith("wheel_speed_")
          )
        )
      const all = yield* store(running, ["lap", "wheels"])
      const compared = yield* comparing(all)
      expect(compared.method).toBe("distance")
      // The drive's fourth lap has a lock-up.
      expect(yield* slipping(all)).toMatchObject([{ lap_id: all.lapIds[3], type: "lock_up_or_spin" }])
      expect(compared.losses.filter(({ cause }) => cause === "lock-up")).toMatchObject([
        { lap_id: all.lapIds[3] }
      ])
      // Also where one of the four wheels is traced.
      const { losses } = yield* comparing(all, { channels: ["wheel_speed_rl"] })
      expect(losses).toEqual(compared.losses)

      const none = yield* store(running, [])
      const before = yield* comparing(none)
      expect(before.method).toBe("positions")
      expect(yield* slipping(none)).toEqual([])
      // Declared, and not one sample of it.
      const { dictionary } = emptyDictionary.withDeclared(allChannels).withGroups(groups)
      yield* running.catalog.putDictionary(none.id, dictionary)
      expect(yield* comparing(none)).toEqual(before)
    })
)
