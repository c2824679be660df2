/** Commands to a recorder that another process or machine answers. */
import { Effect } from "effect"
import type { CommandError, StoreUnavailable } from "../domain/errors.ts"
import { type makeLocal, NOT_RECORDING, type Recording, unavailable } from "./Relay.ts"

/** The calls: every process answers `counts` and `alive`, the recorder answers the rest. */
export type Call = keyof Recording | "counts" | "alive"

/** Sends a call with its argument, which must be data, and succeeds with the answer. */
export type Ask = (asked: Call, argument?: unknown) => Effect.Effect<unknown, CommandError>

/** Only a connect and a change of imports fail for reasons other than an unavailable recorder. */
export const onlyUnavailable = <A>(
  asked: Effect.Effect<unknown, CommandError>
): Effect.Effect<A, StoreUnavailable> =>
  Effect.mapBoth(asked, { onFailure: unavailable, onSuccess: (answer) => answer as A })

/** The commands of a recorder that answers `ask`. */
export const commandsOver = (ask: Ask): Recording => ({
  connect: (request) => ask("connect", request) as ReturnType<Recording["connect"]>,
  disconnect: (address) => onlyUnavailable(ask("disconnect", address)),
  status: onlyUnavailable(ask("status")),
  stalled: onlyUnavailable(ask("stalled")),
  known: onlyUnavailable(ask("known")),
  kept: onlyUnavailable(ask("kept")),
  enable: (wanted) => onlyUnavailable(ask("enable", wanted)),
  listenFor: (games) => onlyUnavailable(ask("listenFor", games)),
  changeImports: (command) => ask("changeImports", command) as ReturnType<Recording["changeImports"]>
})

/** The same commands; those that change something run to their end, even if their callers give up. */
export const toTheirEnd = (
  commands: Recording,
  complete: <A, E>(command: Effect.Effect<A, E>) => Effect.Effect<A, E>
): Recording => ({
  ...commands,
  connect: (request) => complete(commands.connect(request)),
  disconnect: (address) => complete(commands.disconnect(address)),
  enable: (wanted) => complete(commands.enable(wanted)),
  listenFor: (games) => complete(commands.listenFor(games)),
  changeImports: (command) => complete(commands.changeImports(command))
})

/** Answers a call by this process's own recorder and counts. */
export const answerBy =
  ({
    counts,
    recording
  }: Pick<Effect.Effect.Success<ReturnType<typeof makeLocal>>, "counts" | "recording">): Ask =>
  (asked, argument) => {
    if (asked === "counts") return counts
    if (asked === "alive") return Effect.void
    const own = recording()?.[asked]
    if (own === undefined) return unavailable(NOT_RECORDING)
    return Effect.isEffect(own) ? own : own(argument as never)
  }
