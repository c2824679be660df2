/** Which channels a session has. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { channelKinds } from "../domain/Dictionary.ts"
import { SessionNotFound } from "../domain/errors.ts"
import { SessionId } from "./fields.ts"
import { answered } from "./operation.ts"

const ChannelDescription = Schema.Struct({
  name: Schema.String,
  unit: Schema.String.annotations({ description: "Empty for a quantity without one" }),
  kind: Schema.Literal(...channelKinds).annotations({
    description:
      "`continuous`: may be resampled linearly; `angle`: degrees that wrap at 360; `step`: holds until it changes; `flag`: 0 or 1"
  }),
  group: Schema.NullOr(Schema.String).annotations({
    description: "Channels of a group are told together, with one time; null of a derived channel"
  }),
  description: Schema.String,
  labels: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "What the codes of a step mean, as the simulator has them"
  }),
  derived: Schema.Boolean.annotations({ description: "The service computes it; no source tells it" }),
  samples: Schema.NullOr(Schema.Int).annotations({ description: "Rows of its group" }),
  rate: Schema.NullOr(Schema.Number).annotations({
    description: "Hz: 1 over the median interval of the group's newest rows"
  }),
  first: Schema.NullOr(Schema.Number).annotations({
    description: "The group's first row, seconds since the Unix epoch"
  }),
  last: Schema.NullOr(Schema.Number).annotations({ description: "The group's last row" })
}).annotations({ identifier: "ChannelDescription" })

export const ofSession = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Schema.Array(ChannelDescription).annotations({
    description: "The session's channels, those of a telemetry point first"
  }),
  errors: [SessionNotFound],
  run: ({ sessionId }) =>
    Effect.map(
      Effect.flatMap(Archive, (archive) => archive.channels(sessionId)),
      (channels) => channels.map((channel) => ({ ...channel, derived: false }))
    )
})
