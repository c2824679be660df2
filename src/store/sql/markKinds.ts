/** The kinds of marks: what each is about, and its text in the catalog. */
import { Effect, Schema } from "effect"
import {
  AnomalyMark,
  LapMark,
  type MarkKind,
  NameMark,
  noLapMark,
  noSessionMark,
  ReferenceMark,
  saysNothing,
  SessionMark
} from "../../domain/Mark.ts"
import { fromWire } from "../../platform/wire.ts"
import { unavailable } from "./catalogFailures.ts"
import { nameKey } from "./catalogRows.ts"

/** The session and the lap that a mark is about; null if it is about none. */
export interface About {
  readonly sessionId: number | null
  readonly lapId: number | null
}

/** A mark to keep. */
export interface MarkToKeep extends About {
  readonly kind: MarkKind
  /** Names what the mark is about among those of its kind. */
  readonly target: string
  readonly value: string
  readonly isSet: boolean
  readonly tags: ReadonlyArray<string>
}

const kind = <A extends object, I>(
  name: MarkKind,
  schema: Schema.Schema<A, I>,
  {
    isSet = () => true,
    target
  }: {
    readonly target: (about: About, mark: A) => string
    /** Whether the mark says anything. */
    readonly isSet?: (mark: A) => boolean
  }
) => {
  const stored = Schema.parseJson(fromWire(schema))
  return {
    name,
    read: (text: string) => Effect.mapError(Schema.decode(stored)(text), unavailable),
    toKeep: (about: About, mark: A) =>
      Effect.map(Effect.mapError(Schema.encode(stored)(mark), unavailable), (value): MarkToKeep => ({
        ...about,
        kind: name,
        target: target(about, mark),
        value,
        isSet: isSet(mark),
        tags: "tags" in mark ? (mark.tags as ReadonlyArray<string>) : []
      }))
  }
}

export const session = kind("session", SessionMark, {
  target: ({ sessionId }) => String(sessionId),
  isSet: (mark) => !saysNothing(mark, noSessionMark)
})

export const lap = kind("lap", LapMark, {
  target: ({ lapId }) => String(lapId),
  isSet: (mark) => !saysNothing(mark, noLapMark)
})

export const anomaly = kind("anomaly", AnomalyMark, {
  target: ({ sessionId }, { channel, distance, lapNumber, type }) =>
    [sessionId, type, lapNumber, channel, distance].join(" "),
  isSet: ({ dismissed }) => dismissed
})

export const reference = kind("reference", ReferenceMark, {
  target: (_about, { circuit, driver, vehicle }) =>
    [circuit, vehicle ?? "", driver ?? ""].map(nameKey).join("\n")
})

export const name = kind("name", NameMark, { target: (_about, { raw }) => nameKey(raw) })

export const kinds = { session, lap, anomaly, reference, name }
