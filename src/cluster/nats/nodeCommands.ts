/** The commands of all nodes that record, as those of one recorder: a node of its own answers, or another, or all of them. */
import { Effect } from "effect"
import { addressKey } from "../../domain/Connection.ts"
import type { StoreUnavailable } from "../../domain/errors.ts"
import type { SimulatorsStatus } from "../../simulators/connection/SimulatorsStatus.ts"
import { NOT_RECORDING, type Recording, unavailable } from "../Relay.ts"

export interface Nodes {
  /** The names of those that record, this node first; the others in the same order at every node. */
  readonly recorders: () => ReadonlyArray<string>
  readonly commandsOf: (name: string) => Recording
  /** The node that has a connection to this address; undefined if none is known to have. */
  readonly holderOf: (host: string, port: number) => string | undefined
}

/** The connections of several nodes, in the same order at each of them. */
export const together = (statuses: ReadonlyArray<SimulatorsStatus>): SimulatorsStatus => {
  const arrivals = statuses.flatMap(({ lastArrival }) => lastArrival ?? [])
  return {
    connections: statuses
      .flatMap(({ connections }) => connections)
      .toSorted((a, b) => (addressKey(a) < addressKey(b) ? -1 : 1)),
    listening: statuses.flatMap(({ listening }) => listening),
    lastArrival: arrivals.length === 0 ? null : Math.max(...arrivals)
  }
}

export const make = ({ commandsOf, holderOf, recorders }: Nodes): Recording => {
  type Ask<A, E> = (commands: Recording) => Effect.Effect<A, E>
  const first = <A, E>(ask: Ask<A, E>, chosen?: string) =>
    Effect.suspend((): Effect.Effect<A, E | StoreUnavailable> => {
      const name = chosen ?? recorders()[0]
      return name === undefined ? unavailable(NOT_RECORDING) : ask(commandsOf(name))
    })
  /** The answers of those that answer; fails only if none does, or if the answers are not `enough` without those of the others. */
  const each = <A, E>(ask: Ask<A, E>, enough: (answers: ReadonlyArray<A>) => boolean = () => true) =>
    Effect.suspend((): Effect.Effect<ReadonlyArray<A>, E | StoreUnavailable> => {
      const names = recorders()
      if (names.length === 0) return unavailable(NOT_RECORDING)
      return Effect.flatMap(
        Effect.partition(names, (name) => ask(commandsOf(name)), { concurrency: "unbounded" }),
        ([[failure], answers]): Effect.Effect<ReadonlyArray<A>, E> =>
          failure === undefined || (answers.length > 0 && enough(answers))
            ? Effect.succeed(answers)
            : Effect.fail(failure)
      )
    })
  return {
    // A simulator that another node is connected to is not connected to twice.
    connect: (request) => {
      const asked = (chosen: string | undefined) => first(({ connect }) => connect(request), chosen)
      // The catalog may know of a connection before its node has said so.
      return Effect.catchTag(asked(holderOf(request.host, request.port)), "ConnectedElsewhere", (elsewhere) =>
        recorders().includes(elsewhere.node) ? asked(elsewhere.node) : elsewhere
      )
    },
    disconnect: (address) =>
      Effect.map(
        each(
          ({ disconnect }) => disconnect(address),
          (ended) => ended.some((count) => count > 0)
        ),
        (ended) => ended.reduce((sum, count) => sum + count, 0)
      ),
    status: Effect.map(
      each(({ status }) => status),
      together
    ),
    stalled: first(({ stalled }) => stalled),
    known: first(({ known }) => known),
    kept: Effect.map(
      each(({ kept }) => kept),
      (lists) => lists.flat()
    ),
    enable: (wanted) =>
      Effect.map(
        each(
          ({ enable }) => enable(wanted),
          (known) => known.includes(true)
        ),
        (known) => known.includes(true)
      ),
    listenFor: (games) => first(({ listenFor }) => listenFor(games)),
    changeImports: (command) => first(({ changeImports }) => changeImports(command))
  }
}
