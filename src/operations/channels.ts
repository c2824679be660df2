/** The channels that a session has, and their values: in a lap, in all laps and sectors, and how long they are at each. */
import { Effect, Schema } from "effect"
import { Archive } from "../archive/Archive.ts"
import * as ChannelReports from "../archive/channelReports.ts"
import { MAX_COUNTED_LAPS } from "../archive/channelReports.ts"
import { channelKinds } from "../domain/Dictionary.ts"
import { InvalidValue, LapNotFound, SessionNotFound } from "../domain/errors.ts"
import { ids, LapId, positive, SessionId, text, wantedNames } from "./fields.ts"
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

const spanFields = {
  lapId: Schema.NullOr(Schema.Int).annotations({ description: "Id of the lap; null for the whole session" }),
  lapNumber: Schema.NullOr(Schema.Int),
  startTime: Schema.Number.annotations({ description: "Seconds since the Unix epoch" }),
  duration: Schema.Number.annotations({ description: "Seconds" })
}

const spanOf = ({ endTime, lap, startTime }: ChannelReports.ReportedSpan) => ({
  lapId: lap?.id ?? null,
  lapNumber: lap?.lapNumber ?? null,
  startTime,
  duration: endTime - startTime
})

const ChannelReport = Schema.Struct({
  sessionId: Schema.Int,
  channels: Schema.Array(Schema.Struct({ name: Schema.String, unit: Schema.String })),
  spans: Schema.Array(
    Schema.Struct({
      ...spanFields,
      sector: Schema.NullOr(Schema.Int).annotations({ description: "1 to 3; null for a whole lap" }),
      values: Schema.Array(
        Schema.Struct({
          min: summary("The minimum in the span; null if the channel was absent"),
          max: summary("The maximum"),
          mean: summary("The mean over the time in which the channel was present; null for an angle")
        })
      ).annotations({ description: "One entry for each of `channels`, in their order" })
    })
  ).annotations({ description: "First the whole session, then each lap, followed by its timed sectors" })
}).annotations({ identifier: "ChannelReport" })

export const report = answered({
  input: Schema.Struct({
    sessionId: SessionId,
    channels: Schema.optional(
      wantedNames(ChannelReports.MAX_REPORTED, "Names of channels; by default those of a point")
    )
  }),
  answer: ChannelReport,
  errors: [SessionNotFound, InvalidValue],
  run: ({ channels: names, sessionId }) =>
    Effect.map(ChannelReports.channelReport(sessionId, names), ({ channels, spans }) => ({
      sessionId,
      channels: channels.map(({ name, unit }) => ({ name, unit })),
      spans: spans.map((span) => ({
        ...spanOf(span),
        sector: span.sector,
        values: span.summaries.map(({ max, mean, min }) => ({ min, max, mean }))
      }))
    }))
})

const ChannelHistogram = Schema.Struct({
  sessionId: Schema.Int,
  channel: Schema.String,
  unit: Schema.String,
  width: Schema.Number.annotations({ description: "The width of a bin, in the channel's unit" }),
  edges: Schema.Array(Schema.Number).annotations({
    description:
      "The edges of the bins, one more than there are bins; a value at an edge is in the bin above it"
  }),
  spans: Schema.Array(
    Schema.Struct({
      ...spanFields,
      seconds: Schema.Array(Schema.Number).annotations({
        description:
          "Seconds in each bin. Without the time in which the channel was absent or nothing was recorded"
      })
    })
  )
}).annotations({ identifier: "ChannelHistogram" })

export const histogram = answered({
  input: Schema.Struct({
    sessionId: SessionId,
    channel: text("The channel's name"),
    lapIds: Schema.optional(
      ids(1, MAX_COUNTED_LAPS, {
        description: "Ids of laps of the session, each of which is counted. By default the whole session is",
        each: "Id of a lap"
      })
    ),
    width: Schema.optional(
      positive("a number above 0", "The width of a bin; by default a round number that gives about 40 bins")
    )
  }),
  answer: ChannelHistogram,
  errors: [SessionNotFound, InvalidValue],
  run: ({ channel: name, lapIds = [], sessionId, width }) =>
    Effect.map(ChannelReports.histogram(sessionId, name, lapIds, width), ({ bins, channel, spans }) => ({
      sessionId,
      channel: channel.name,
      unit: channel.unit,
      width: bins.width,
      edges: Array.from({ length: bins.count === 0 ? 0 : bins.count + 1 }, (_, k) =>
        Number((bins.low + k * bins.width).toPrecision(12))
      ),
      spans: spans.map((span) => ({ ...spanOf(span), seconds: Array.from(span.seconds) }))
    }))
})
