/** Runs the Effects of procedures as part of their request, until the request ends. */
import { Cause, Effect, Exit, Option, Runtime, Scope } from "effect"
import type { Text } from "../../operations/operation.ts"
import { ended, errorOf } from "./errors.ts"
import type { EventStream } from "./EventStream.ts"
import type { EventPull } from "./EventPull.ts"
import type { TrpcServices } from "./Services.ts"
import type { Marks } from "./streamed.ts"

export interface CallContext {
  /**
   * The result of an Effect. Rejects with the error that errors.ts makes of a failure; `signal` interrupts the Effect.
   */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, TrpcServices>,
    signal: AbortSignal | undefined
  ) => Promise<A>
  /**
   * The values of a pull, one after another, until `signal`. Rejects if the pull cannot begin, while nothing of the
   * answer has been sent.
   */
  readonly listen: <A, E>(
    pull: EventPull<A, E, TrpcServices>,
    signal: AbortSignal | undefined
  ) => Promise<AsyncIterable<ReadonlyArray<A>, void>>
  /** The mark in place of a text that will be written later (streamed.ts). */
  readonly mark: (text: Text) => string
  /** Takes the messages that this subscription shares with others. */
  readonly stream: EventStream
}

/** `runtime` is the request's, with its log annotations. */
export const contextOf = (
  runtime: Runtime.Runtime<TrpcServices>,
  marks: Marks,
  stream: EventStream
): CallContext => {
  const exitOf = Runtime.runPromiseExit(runtime)

  const run: CallContext["run"] = async (effect, signal) => {
    const translated = Effect.catchAllCause(effect, (cause) => Effect.flatMap(errorOf(cause), Effect.fail))
    const exit = await exitOf(translated, signal && { signal })
    if (Exit.isSuccess(exit)) return exit.value
    throw Option.getOrElse(Cause.failureOption(exit.cause), () => ended)
  }

  const listen: CallContext["listen"] = async (pull, signal) => {
    const scope = await run(Scope.make(), undefined)
    const close = () => run(Scope.close(scope, Exit.void), undefined)
    // Closes however the request ends, even before the first value is requested (HEAD).
    signal?.addEventListener("abort", () => void close(), { once: true })
    try {
      const next = await run(Scope.extend(pull, scope), signal)
      return valuesOf(next, signal, close)
    } catch (error) {
      await close()
      if (error === ended) return valuesOf(Effect.interrupt, signal, close)
      throw error
    }
  }

  const valuesOf = async function* <A, E>(
    next: Effect.Effect<ReadonlyArray<A>, E, TrpcServices>,
    signal: AbortSignal | undefined,
    close: () => Promise<void>
  ) {
    try {
      for (;;) yield await run(next, signal)
    } catch (error) {
      if (error !== ended) throw error
    } finally {
      await close()
    }
  }

  return { run, listen, mark: (text) => marks.mark(text), stream }
}
