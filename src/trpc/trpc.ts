/** What the procedures of the router are made of: Effects that answer a call, and streams that tell what happens. */
import { initTRPC, type TrackedEnvelope } from "@trpc/server"
import { Effect, Schema } from "effect"
import type { CallContext } from "./CallContext.ts"
import { shapeOf } from "./errors.ts"
import type { EventStream } from "./EventStream.ts"
import type { Feed } from "./Feed.ts"
import type { Services } from "./Services.ts"
import type { Text } from "./streamed.ts"

/** An idle client is sent something so often; proxies let go of what is silent for a minute. */
const PING_MS = 5000
/** A client that has missed three pings connects again. */
const RECONNECT_MS = 3 * PING_MS

const trpc = initTRPC.context<CallContext>().create({
  // Decided by NODE_ENV otherwise, and shown to clients as stack traces.
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

/** Answers with what an Effect gives, as REST writes it by `shape`. */
export const answer =
  <A, Json>(shape: Schema.Schema<A, Json>) =>
  <Input, E>(effect: (input: Input) => Effect.Effect<A, E, Services>) => {
    const encode = Schema.encodeSync(shape)
    return ({ ctx, input, signal }: Call<Input>): Promise<Json> =>
      ctx.run(Effect.map(effect(input), encode), signal)
  }

/** Answers with JSON text that is written while it goes out, and is the text of a `Shape`. */
export const write =
  <Shape>() =>
  <Input, E>(effect: (input: Input) => Effect.Effect<Text, E, Services>) =>
  async ({ ctx, input, signal }: Call<Input>): Promise<Shape> =>
    ctx.mark(await ctx.run(effect(input), signal)) as Shape

/** Tells what a feed gives, for as long as the client listens; `event` makes each thing an event with an id. */
export const tell = <Input, A, E, B>(
  feed: (input: Input, stream: EventStream) => Feed<A, E, Services>,
  event: (told: A) => TrackedEnvelope<B>
) =>
  async function* ({ ctx, input, signal }: Call<Input>): AsyncGenerator<TrackedEnvelope<B>, void> {
    for await (const told of ctx.listen(feed(input, ctx.stream), signal))
      for (const one of told) yield event(one)
  }
