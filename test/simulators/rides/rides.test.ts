/**
 * A valid lap with a wrong time is the worst error that the service can record. So, whatever happens on a busy machine and a bad
 * network, each lap that is recorded as valid was driven in that time and with that number, and is recorded once.
 *
 * `RIDES=1000 npm run vitest -- test/simulators/rides` looks further.
 */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Conditions, ride } from "./ride.ts"
import { conditionsOf } from "./conditions.ts"
import { faultsOf } from "./judge.ts"
import { kinds } from "../drivers/index.ts"
import { some } from "../../support/runs.ts"

const RIDES = Number(process.env["RIDES"] ?? 1)
/** A ride at 20 Hz with losses, a restart and a pause: a third of the work of one at 60 Hz. `test:long` has most of those. */
const FIRST_SEED = 70

/** Started again at 20 s; the service is held up for 6 s, over the end of the lap that begins there. */
const overTheLine: Conditions = {
  seed: 1,
  speed: 1,
  connectAt: 0.1,
  faults: { loss: 0, reorder: 0, duplicate: 0, garbage: 0 },
  frames: { seed: 7, rate: 20, restarts: [20] },
  gameStalls: [],
  serviceStalls: [{ at: 61.4, seconds: 6 }],
  bursts: [],
  room: 2000,
  streamFirst: true,
  until: 112
}

describe.each(kinds.map((kind) => [kind.protocol, kind] as const))("%s", (protocol, kind) => {
  // The service's side of it is the same for all kinds.
  for (const room of some(kinds, 6).includes(kind) ? some([2000, 60], 1) : []) {
    it.live(`a service that is held up over the line, with room for ${room} datagrams`, () =>
      Effect.gen(function* () {
        const ridden = yield* ride(kind, { ...overTheLine, room })
        expect(faultsOf(kind, ridden)).toEqual([])
        expect(ridden.driven.map((laps) => laps.length)).toEqual([0, 2])
        const counted = ridden.recorded.filter(({ lapTime, valid }) => valid && lapTime !== null)
        // The later drive showed that the second lap was driven from line to line.
        // BeamNG's laps are counted from the first one on that ran from line to line.
        const second = kind.clockless ? 1 : 2
        if (room > 60) expect(counted.map(({ lapNumber }) => lapNumber)).toContain(second)
        // The game itself reports the laps, and which of them count.
        if (protocol === "acc") expect(counted.map(({ lapNumber }) => lapNumber)).toEqual([1, 2])
      })
    )
  }

  it.live.each(Array.from({ length: RIDES }, (_, n) => n + FIRST_SEED))("ride %d", (seed) =>
    Effect.gen(function* () {
      expect(faultsOf(kind, yield* ride(kind, conditionsOf(seed, kind)))).toEqual([])
    })
  )
})
