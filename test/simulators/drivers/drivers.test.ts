/**
 * Every driver by the same rules: two laps of its emulator become the session, the laps, the points and the channels that were
 * driven, and no bytes make it fail. Rules of one game stand in its own folder; pauses, restarts, silences and
 * lost datagrams are those of `matrix` and `rides`.
 */
import { describe, expect, it } from "vitest"
import { channels } from "../../../src/domain/pointChannels.ts"
import { runs } from "../../support/runs.ts"
import { scene } from "./emulating.ts"
import { kinds, variants } from "./index.ts"
import { fuzz } from "./interpreting.ts"
import { eventsOf, falls, recorded, signedArea } from "./suite/events.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { channelsIn, driven, wrongRows } from "./suite/channels.ts"
import { BEGIN_S, drive } from "./suite/drive.ts"
import type { Kind } from "./suite/kind.ts"

const LAPS = 2

/** A state machine that has received nothing. */
const fresh = (kind: Kind) => kind.open(scene, () => undefined)

/** Two laps, driven once for all rules, when the first of them needs them. */
const drivenOnce = (kind: Kind, rate: number) => {
  let known: ReturnType<typeof driveLaps> | undefined
  const driveLaps = () => {
    const whole = drive(kind, { laps: LAPS, rate })
    return { ...whole, sessions: recorded(whole.events) }
  }
  return () => (known ??= driveLaps())
}

describe.each([...kinds, ...variants].map((kind) => [kind.protocol, kind] as const))("%s", (_, kind) => {
  const { expected } = kind
  const { begin = BEGIN_S, rate = 20 } = expected
  const once = drivenOnce(kind, rate)

  it("is one session with its names and the laps that were driven", () => {
    const { events, laps, sessions } = once()
    const [session, ...more] = sessions
    expect(more).toEqual([])
    expect(eventsOf(events, "SessionStarted")).toMatchObject([expected.started ?? {}])
    expect(session).toMatchObject({ circuit: expected.circuit, vehicle: expected.vehicle, missing: 0 })
    const timed = session!.laps.filter(({ lapTime, valid }) => valid && lapTime !== null)
    const all = laps.map(({ lapNumber, lapTime }) => [lapNumber, lapTime] as const)
    // If laps are those from line to line, the first began on the way there.
    const wanted = kind.clockless ? all.slice(1) : all
    expect(timed).toHaveLength(wanted.length)
    for (const [n, [number, time]] of wanted.entries()) {
      const lap = timed[n]!
      expect(lap.lapNumber).toBe(kind.counts ? number : n + 1)
      expect(Math.abs(lap.lapTime! - time)).toBeLessThanOrEqual(kind.precise)
      expect(Math.abs(lap.endTime - lap.startTime - time)).toBeLessThan(1.5 / rate + kind.precise)
      const sectors = kind.sectors ? [lap.sector1Time, lap.sector2Time, lap.sector3Time] : []
      const isWrong = (sector: number | null, s: number) =>
        !(Math.abs((sector ?? Number.NaN) - laps[number - 1]!.sectors[s]!) < 0.0016)
      expect(sectors.filter(isWrong)).toEqual([])
    }
  })

  it("has a point for each frame, with the channels that the game reports", () => {
    const { frames, laps, sessions } = once()
    const { batch } = sessions[0]!
    const racing = frames.filter(({ finished }) => !finished).length
    const points = batch.timestamps.filter((time) => !frames[Math.round((time - begin) * rate)]?.finished)
    expect(Math.abs(points.length - racing)).toBeLessThanOrEqual(expected.around ?? 2)
    const absent = channels.filter((channel) => batch.column(channel).every(Number.isNaN))
    expect(absent).toEqual(channels.filter((channel) => expected.absent?.includes(channel)))
    const columns = new Map(
      channels
        .filter((channel) => channel !== "timestamp" && !absent.includes(channel))
        .map((channel) => [channel, { times: [...batch.timestamps], values: [...batch.column(channel)] }])
    )
    expect(wrongRows(columns, frames, rate, expected, driven)).toEqual([])
    if (absent.includes("position_x")) return
    const number = laps[1]!.lapNumber
    const lap2 = batch.pick(
      [...batch.timestamps.keys()].filter(
        (i) => frames[Math.round((batch.timestamps[i]! - begin) * rate)]?.lap.lapNumber === number
      )
    )
    const area = signedArea(lap2.column("position_x"), lap2.column("position_y"))
    expect(area / signedArea(scene.circuit.x, scene.circuit.y)).toBeCloseTo(1, 1)
  })

  it("has its channels beyond points, each as it was driven", () => {
    const { events, frames } = once()
    const reported = channelsIn(events)
    expect(reported.size).toBe(expected.channels)
    // The recorder refuses others.
    for (const [name, { times }] of reported) expect([name, falls(times)]).toEqual([name, 0])
    expect(wrongRows(reported, frames, rate, expected)).toEqual([])
  })

  it.each(expected.refused)("refuses a datagram: %s", (reason, damaged) => {
    const reader = fresh(kind)
    const events = new EventBuffer()
    for (const good of once().datagrams.slice(0, 20))
      reader.datagram(damaged(Buffer.from(good)), BEGIN_S, events)
    const refused = eventsOf(events.take(), "Refused")
    expect(refused.length).toBeGreaterThan(0)
    for (const one of refused) expect(one.reason).toContain(reason)
  })

  it("never throws, whatever the bytes, and gives no value that is not finite", () => {
    const { datagrams, opening } = once()
    const opened = () => {
      const reader = fresh(kind)
      for (const bytes of opening) reader.stream?.(bytes, 0, new EventBuffer())
      return reader
    }
    expect(fuzz(opened, datagrams.slice(0, 300), runs(1500))).toBeGreaterThan(0)
  })
})
