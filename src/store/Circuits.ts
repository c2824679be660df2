import { Context, type Effect } from "effect"
import type { CircuitDetails } from "../domain/Circuit.ts"
import type { CircuitLayouts } from "../domain/CircuitLayout.ts"
import type { StoreUnavailable } from "../domain/errors.ts"
import type { SectorLines } from "../domain/SectorLines.ts"

/** Data about circuits: the sector lines that came with laps, the details that users gave, and the layouts found in laps. */
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
    /** The circuit's layouts (its whole name, ignoring case), as they were put last. */
    readonly circuitLayouts: (circuit: string) => Effect.Effect<CircuitLayouts, StoreUnavailable>
    /**
     * Replaces the circuit's layouts, and returns true, if their version is still the one given. Otherwise they were
     * replaced meanwhile, and stay.
     */
    readonly putCircuitLayouts: (
      circuit: string,
      layouts: CircuitLayouts
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** All layouts, by circuit names in lower case, sorted. */
    readonly allCircuitLayouts: Effect.Effect<
      ReadonlyArray<readonly [name: string, layouts: CircuitLayouts]>,
      StoreUnavailable
    >
  }
>() {}
