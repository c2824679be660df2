/** Anomalies that users dismiss, and the list of all marks. */
import { Effect, Schema } from "effect"
import { AnalysisService } from "../archive/AnalysisService.ts"
import { anomalyOf } from "../domain/anomalyPlace.ts"
import { AnomalyType } from "../domain/analysis/anomalies.ts"
import { MarkChanged, SessionNotFound, StillComputing, TooManyMarks } from "../domain/errors.ts"
import { AnomalyMark, Mark, markKinds, revised } from "../domain/Mark.ts"
import { fromWire } from "../platform/wire.ts"
import { Marks } from "../store/Marks.ts"
import { optionalChoice, optionalText, Revision, SessionId, wholeNumber, wholeNumberOr } from "./fields.ts"
import { answered } from "./operation.ts"

/** The body that dismisses an anomaly. */
export const AnomalyMarkBody = fromWire(AnomalyMark)

const MarkOfAnomaly = Schema.Struct({
  sessionId: Schema.Int,
  type: AnomalyType,
  lapNumber: Schema.Int,
  channel: Schema.String,
  distance: Schema.NullOr(Schema.Number),
  dismissed: Schema.Boolean,
  reason: Schema.NullOr(Schema.String),
  ...revised
}).annotations({ identifier: "MarkOfAnomaly" })

export const putAnomaly = answered({
  input: Schema.Struct({ sessionId: SessionId, anomalyMark: AnomalyMarkBody, revision: Revision }),
  answer: MarkOfAnomaly,
  errors: [SessionNotFound, MarkChanged, TooManyMarks],
  run: ({ anomalyMark, revision, sessionId }) =>
    Effect.flatMap(Marks, (marks) =>
      Effect.map(marks.markAnomaly(sessionId, anomalyMark, revision), ({ value, ...kept }) => ({
        sessionId,
        ...value,
        ...kept
      }))
    )
})

const MarkList = Schema.Struct({
  items: Schema.Array(Mark),
  next: Schema.NullOr(Schema.Int).annotations({
    description: "The `after` of the next page; null if there is none"
  })
}).annotations({ identifier: "MarkList" })

/** Notes which dismissed anomalies the session no longer has. */
const matched = Effect.fn("marks.matched")(function* (sessionId: number, items: ReadonlyArray<Mark>) {
  if (!items.some(({ kind }) => kind === "anomaly")) return items
  const { anomalies } = yield* (yield* AnalysisService).anomalies(sessionId)
  return items.map((item) => {
    const { channel, distance, lapNumber, type } = item
    if (type === undefined || channel === undefined || lapNumber === undefined) return item
    const place = { type, channel, lapNumber, distance: distance ?? null }
    return { ...item, unmatched: anomalyOf(anomalies, place) === undefined }
  })
})

export const list = answered({
  input: Schema.Struct({
    tag: optionalText("Only marks with this tag, ignoring case"),
    kind: optionalChoice(markKinds, "Only marks of this kind"),
    sessionId: Schema.optional(
      wholeNumber(1, Number.MAX_SAFE_INTEGER, "Only marks of this session and its laps")
    ),
    after: wholeNumberOr(
      0,
      0,
      Number.MAX_SAFE_INTEGER,
      "Only marks with a higher id: `next` of the page before"
    ),
    limit: wholeNumberOr(100, 1, 1000, "Maximum number of marks in the answer")
  }),
  answer: MarkList,
  errors: [SessionNotFound, StillComputing],
  run: ({ limit, sessionId, ...wanted }) =>
    Effect.gen(function* () {
      const found = yield* (yield* Marks).marks({ ...wanted, sessionId, limit: limit + 1 })
      const items = found.slice(0, limit)
      return {
        items: sessionId === undefined ? items : yield* matched(sessionId, items),
        next: found.length > limit ? items.at(-1)!.id : null
      }
    })
})
