import { Context, type Effect } from "effect"
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { SectorLines } from "../domain/SectorLines.ts"

/** Data about circuits: the sector lines that came with laps, and the details that users gave. */
export class Circuits extends Context.Tag("store/Circuits")<
  Circuits,
  {
    /**
     * The sector lines that came with laps on a circuit (its whole name, ignoring case), kept by `addLaps`: one entry for
     * each layout that was driven, the oldest first, `MAX_LAYOUTS` at most.
     */
    readonly sectorLines: (circuit: string) => Effect.Effect<ReadonlyArray<SectorLines>, StoreUnavailable>
    /** The details that users gave of a circuit (its whole name, ignoring case); undefined without any. */
    readonly circuitDetails: (name: string) => Effect.Effect<CircuitDetails | undefined, StoreUnavailable>
    /** Replaces the circuit's details. The circuit needs no session. */
    readonly putCircuitDetails: (
      name: string,
      details: CircuitDetails
    ) => Effect.Effect<void, StoreUnavailable>
    /** All circuit details, by circuit names as users wrote them, sorted. */
    readonly allCircuitDetails: Effect.Effect<
      ReadonlyArray<readonly [name: string, details: CircuitDetails]>,
      StoreUnavailable
    >
  }
>() {}
