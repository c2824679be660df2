/**
 * The corners of circuits: found in a circuit's fastest laps when they are first needed, kept in the catalog, and used
 * by every answer from then on.
 */
import { Effect } from "effect"
import type { CircuitFacts } from "../analysis/circuits/numbering.ts"
import { comparableLaps } from "../analysis/compare/comparable.ts"
import { MAX_LAYOUTS } from "../domain/CircuitLayout.ts"
import type { RecordedLap } from "../domain/Lap.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import { Circuits } from "../store/Circuits.ts"
import { Statistics } from "../store/Statistics.ts"
import { AnalysisWorkers, type LapsRead } from "./AnalysisWorkers.ts"
import type { ShowingCircuit } from "./workers/computations.ts"

/** Laps in which a circuit's corners are searched: the fastest may have gaps. */
const MAX_LOOKED_AT = 3
/**
 * The number of a circuit's fastest laps from which those are chosen: enough that wrong lap times cannot become the
 * median.
 */
const MAX_CANDIDATES = 200

/** The session's fastest comparable laps, the fastest first. */
export const fastest = (session: ReadonlyArray<RecordedLap>, most: number) =>
  comparableLaps(session)
    .toSorted((a, b) => a.lapTime - b.lapTime || a.id - b.id)
    .slice(0, most)

/** `readLaps`: reads laps with the samples that place them. */
export const make = Effect.fnUntraced(function* <E, R>(
  readLaps: (laps: ReadonlyArray<RecordedLap>) => LapsRead<E, R>
) {
  const { circuitDetails, circuitLayouts, putCircuitLayouts } = yield* Circuits
  const statistics = yield* Statistics
  const workers = yield* AnalysisWorkers

  /**
   * Keeps what the laps show. Where another answer was first, computes again with its layouts: both must give a corner
   * the same number.
   */
  const keeping = <A, E1, R1>(
    circuit: string,
    compute: (facts: CircuitFacts) => Effect.Effect<ShowingCircuit<A>, E1, R1>
  ): Effect.Effect<A, E1 | StoreUnavailable, R1> =>
    Effect.gen(function* () {
      const details = yield* circuitDetails(circuit)
      const { layouts, version } = yield* circuitLayouts(circuit)
      const { answer, layouts: shown } = yield* compute({ details, layouts })
      if (shown === undefined || shown.length > MAX_LAYOUTS) return answer
      const isKept = yield* Effect.catchTag(
        putCircuitLayouts(circuit, { version, layouts: shown }),
        "StoreUnavailable",
        // The answer is right, and the next one tries again.
        (error) => Effect.as(Effect.logWarning("The corners of a circuit could not be kept", error), true)
      )
      return isKept ? answer : yield* keeping(circuit, compute)
    })

  const describe = Effect.fn("circuitLayouts.describe")(function* (circuit: string) {
    return yield* keeping(circuit, (facts) =>
      Effect.flatMap(statistics.bestLaps({ circuit }, MAX_CANDIDATES), (candidates) =>
        workers.circuit(circuit, readLaps(fastest(candidates, MAX_LOOKED_AT)), facts)
      )
    )
  })

  return {
    /** The circuit as its fastest laps show it; a user's details must have no corners. */
    describe,
    /** An answer about laps on the circuit, whose corners are found first where none are kept. */
    on: <A, E1, R1>(
      circuit: string,
      compute: (facts: CircuitFacts) => Effect.Effect<ShowingCircuit<A>, E1, R1>
    ) =>
      Effect.gen(function* () {
        const { version } = yield* circuitLayouts(circuit)
        if (version === 0) yield* describe(circuit)
        return yield* keeping(circuit, compute)
      })
  }
})
