/** The channels that a session has, and their values in a lap. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import { channelKinds } from "../domain/Dictionary.ts"
import { LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { LapId, SessionId } from "./fields.ts"
import { answered } from "./operation.ts"

const ChannelDescription = Schema.Struct({
  name: Schema.String,
  unit: Schema.String.annotations({ description: "Empty for a quantity without a unit" }),
  kind: Schema.Literal(...channelKinds).annotations({
    description:
      "`continuous`: can be interpolated linearly; `angle`: degrees that wrap at 360; `step`: holds its value until the next change; `flag`: 0 or 1"
  }),
  group: Schema.NullOr(Schema.String).annotations({
    description:
      "The channels of a group are sampled together, with one timestamp; null for a derived channel"
  }),
  description: Schema.String,
  labels: Schema.Record({ key: Schema.String, value: Schema.String }).annotations({
    description: "The meanings of a step's codes, as the simulator names them"
  }),
  derived: Schema.Boolean.annotations({
    description: "Whether the service computes it, instead of a simulator sending it"
  }),
  samples: Schema.NullOr(Schema.Int).annotations({ description: "Number of its group's samples" }),
  rate: Schema.NullOr(Schema.Number).annotations({
    description: "Hz: 1 divided by the median interval of the group's newest samples"
  }),
  first: Schema.NullOr(Schema.Number).annotations({
    description: "Time of the group's first sample, seconds since the Unix epoch"
  }),
  last: Schema.NullOr(Schema.Number).annotations({ description: "Time of the group's last sample" })
}).annotations({ identifier: "ChannelDescription" })

export const ofSession = answered({
  input: Schema.Struct({ sessionId: SessionId }),
  answer: Schema.Array(ChannelDescription).annotations({
    description: "The session's channels; those of a telemetry point come first"
  }),
  errors: [SessionNotFound],
  run: ({ sessionId }) => Effect.flatMap(Archive, (archive) => archive.channels(sessionId))
})

const summary = (description: string) => Schema.NullOr(Schema.Number).annotations({ description })

const ChannelStatistics = Schema.Struct({
  name: Schema.String,
  unit: Schema.String,
  min: summary(
    "The minimum of the lap's samples and of the value as of its start; null if the channel was absent"
  ),
  max: summary("The maximum of the same values"),
  mean: summary("The mean over the time in which the channel was present; null for an angle"),
  first: summary("The value as of the lap's start; of a session's first lap, its first sample"),
  last: summary("The value as of the lap's end"),
  change: summary("last - first"),
  fall: summary(
    "The sum of all decreases from one sample to the next: for fuel, the fuel used, even if the tank was refilled; null for an angle"
  )
}).annotations({ identifier: "ChannelStatistics" })

export const ofLap = answered({
  input: Schema.Struct({ lapId: LapId }),
  answer: Schema.Array(ChannelStatistics).annotations({
    description: "One entry for each channel of the lap's session"
  }),
  errors: [LapNotFound],
  run: ({ lapId }) => Effect.flatMap(Archive, (archive) => archive.channelSummaries(lapId))
})
