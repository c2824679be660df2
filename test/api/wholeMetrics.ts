/** The metrics of all processes of a service, and values in them. */
import { Effect } from "effect"
import { kind, NODES, PROCESSES, type Service } from "../support/asking.ts"
import { type Families, parseMetrics } from "./parseMetrics.ts"

/** How many processes count. */
const COUNTED = { inside: 1, workers: PROCESSES, nodes: NODES }

/** Reads again until every process has answered: one that takes more than a second is left out (RelayRouter.ts). */
export const wholeMetrics = ({ fetch }: Pick<Service, "fetch">): Effect.Effect<Families> =>
  fetch("/metrics").pipe(
    Effect.flatMap((answer) => Effect.promise(() => answer.text())),
    Effect.map(parseMetrics),
    Effect.repeat({
      until: (families: Families) =>
        families.get("process_start_time_seconds")?.samples.length === COUNTED[kind]
    })
  )

/** The sum over all processes of the value with these labels and the process's or node's own; undefined if none has it. */
export const valueOf = (families: Families, name: string, wanted: Record<string, string> = {}) => {
  const values = (families.get(name)?.samples ?? []).flatMap(
    ({ labels: { process: _process, node: _node, ...labels }, value }) =>
      JSON.stringify(labels) === JSON.stringify(wanted) ? [value] : []
  )
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
}

/** The same for a metric that must exist. */
export const totalOf = (name: string) => (families: Families) => {
  const value = valueOf(families, name)
  if (value === undefined) throw new Error(`There is no ${name}`)
  return value
}
