/** Moves the parts of a catalog other than sessions and laps. */
import { Context, Effect, Schema } from "effect"
import { Configuration } from "../../domain/Configuration.ts"
import { CatalogTransfer } from "../../store/CatalogTransfer.ts"
import { Circuits } from "../../store/Circuits.ts"
import { Configurations } from "../../store/Configurations.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { Marks } from "../../store/Marks.ts"
import type { Stores } from "./Stores.ts"

/**
 * `none`: the source had no configuration of its own. `same`: the target has the same one. `other`: the target has
 * another one, which stays.
 */
export type ConfigurationOutcome = "none" | "same" | "other"

const sameConfiguration = Schema.equivalence(Configuration)

/** Gives the target the source's configuration, if the target has none of its own. */
export const moveConfiguration = Effect.fn("migrate.configuration")(function* (from: Stores, to: Stores) {
  const [source, target] = [Context.get(from, Configurations), Context.get(to, Configurations)]
  if (!(yield* Context.get(from, CatalogTransfer).configured)) return "none"
  const wanted = yield* source.configuration
  if (!(yield* Context.get(to, CatalogTransfer).configured)) yield* target.putConfiguration(wanted)
  return sameConfiguration(wanted, yield* target.configuration) ? "same" : "other"
})

/** Copies users' details of circuits and the layouts that laps showed, if the target has none for the circuit. */
export const moveCircuits = Effect.fn("migrate.circuits")(function* (from: Stores, to: Stores) {
  const [source, target] = [Context.get(from, Circuits), Context.get(to, Circuits)]
  for (const [name, details] of yield* source.allCircuitDetails) {
    if ((yield* target.circuitDetails(name)) === undefined) yield* target.putCircuitDetails(name, details)
  }
  for (const [name, { layouts }] of yield* source.allCircuitLayouts) {
    yield* target.putCircuitLayouts(name, { version: 0, layouts })
  }
})

/** Copies the readable names that users gave, if the target has none for the same raw name. */
export const moveNames = Effect.fn("migrate.names")(
  function* (from: Stores, to: Stores) {
    const target = Context.get(to, Marks)
    const there = yield* target.names
    for (const { value } of yield* Context.get(from, Marks).names) {
      if (!there.some((one) => one.value.raw.toLowerCase() === value.raw.toLowerCase())) {
        yield* target.putName(value)
      }
    }
    // No revision is expected; a target that is full of names keeps its own.
  },
  Effect.catchTag("MarkChanged", Effect.die),
  Effect.catchTag("TooManyMarks", () => Effect.void)
)

/** Copies a session's declared channels, merged with the target's if the target has continued the recording. */
export const moveDictionary = Effect.fn("migrate.dictionary")(function* (
  from: Stores,
  to: Stores,
  ids: { readonly sessionId: number; readonly targetId: number }
) {
  const target = Context.get(to, Dictionaries)
  const wanted = yield* Context.get(from, Dictionaries).dictionary(ids.sessionId)
  if (wanted === undefined) return
  const known = yield* target.dictionary(ids.targetId)
  const both = known?.withGroups(wanted.groups).dictionary.withDeclared(wanted.declared) ?? wanted
  if (both !== known) yield* target.putDictionary(ids.targetId, both)
})
