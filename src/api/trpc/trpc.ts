/** The parts that make the router's procedures: operations that answer a call, and subscriptions that send events. */
import {
  initTRPC,
  type TrackedEnvelope,
  type TRPCDefaultErrorShape,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure
} from "@trpc/server"
import type { Schema } from "effect"
import { Nothing, type Operation } from "../../operations/operation.ts"
import type { CallContext } from "./CallContext.ts"
import { shapeOf } from "./errors.ts"
import type { EventStream } from "./EventStream.ts"
import type { EventPull } from "./EventPull.ts"
import { checked, type SentInput } from "./inputs.ts"
import type { TrpcServices } from "./Services.ts"

/** How often an idle client gets a ping; proxies close connections that are silent for a minute. */
const PING_MS = 5000
/** A client that has missed three pings connects again. */
const RECONNECT_MS = 3 * PING_MS

const trpc = initTRPC.context<CallContext>().create({
  // By default NODE_ENV decides, and clients get stack traces.
  isDev: false,
  errorFormatter: ({ error, shape }) => shapeOf(error, shape),
  sse: {
    ping: { enabled: true, intervalMs: PING_MS },
    client: { reconnectAfterInactivityMs: RECONNECT_MS }
  }
})

export const { router, procedure } = trpc

interface Call<Input> {
  readonly ctx: CallContext
  readonly input: Input
  readonly signal: AbortSignal | undefined
}

/**
 * A call of an operation: its value, encoded by the schema of the answer, or text that is written while it is sent.
 */
const answer = <Input, Wire, Value, Answer, Json>(operation: Operation<Input, Wire, Value, Answer, Json>) => {
  const { run } = operation
  if (operation.json !== undefined) {
    const { json } = operation
    return async ({ ctx, input, signal }: Call<Input>): Promise<Json> =>
      ctx.mark(json(await ctx.run(run(input), signal))) as Json
  }
  const { encode } = operation
  return async ({ ctx, input, signal }: Call<Input>): Promise<Json> =>
    encode(await ctx.run(run(input), signal))
}

export interface Types<Wire, Json> {
  readonly input: SentInput<Wire>
  readonly output: Json
  readonly meta: object
  readonly errorShape: TRPCDefaultErrorShape
}

/** Checks the input, if the operation has one. */
const asking = <Input, Wire>(schema: Schema.Schema<Input, Wire>) =>
  ((schema as unknown) === Nothing ? procedure : procedure.input(checked(schema))) as typeof procedure

/** An operation that only reads. Its tRPC types are those of its schemas. */
export const query = <Input, Wire, Value, Answer, Json>(
  operation: Operation<Input, Wire, Value, Answer, Json>
) =>
  asking(operation.input).query(answer(operation) as never) as unknown as TRPCQueryProcedure<
    Types<Wire, Json>
  >

/** An operation that changes something. */
export const mutation = <Input, Wire, Value, Answer, Json>(
  operation: Operation<Input, Wire, Value, Answer, Json>
) =>
  asking(operation.input).mutation(answer(operation) as never) as unknown as TRPCMutationProcedure<
    Types<Wire, Json>
  >

/** Sends the values of a pull for as long as the client is subscribed; `event` makes each value an event with an id. */
export const subscription =
  <Input, A, E, B>(
    pull: (input: Input, stream: EventStream) => EventPull<A, E, TrpcServices>,
    event: (value: A) => TrackedEnvelope<B>
  ) =>
  async ({ ctx, input, signal }: Call<Input>): Promise<AsyncGenerator<TrackedEnvelope<B>, void>> => {
    const listened = await ctx.listen(pull(input, ctx.stream), signal)
    const events = async function* () {
      for await (const values of listened) for (const value of values) yield event(value)
    }
    return events()
  }
