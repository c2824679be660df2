/** The channels that a session has, and their values in a lap. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { channelKinds } from "../domain/Dictionary.ts"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { LapId, SessionId } from "./fields.ts"
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
  run: ({ sessionId }) => Effect.flatMap(Archive, (archive) => archive.channels(sessionId))
})

const summary = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

const ChannelStatistics = Schema.Struct({
  name: Schema.String,
  unit: Schema.String,
  min: summary(
    "Over the samples in the lap and the value as of its start; null where the channel was absent"
  ),
  max: summary("As min"),
  mean: summary("By time, where the channel was there; null of an angle"),
  first: summary("As of the lap's start"),
  last: summary("As of its end"),
  change: summary("last - first")
}).annotations({ identifier: "ChannelStatistics" })

export const ofLap = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Schema.Array(ChannelStatistics).annotations({
    description: "Of each channel of the lap's session"
  }),
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(Archive, (archive) => archive.channelSummaries(lapId))
})
