/** The session that overlays and the live page show when they name none. */
import { Schema } from "effect"
import { Id } from "./Id.ts"

export const OnAirMode = Schema.Literal("auto", "session")

/** As clients choose it. */
export const OnAirChoice = Schema.Struct({
  mode: OnAirMode,
  sessionId: Schema.optionalWith(Schema.NullOr(Id), { default: () => null }).annotations({
    description:
      "With `mode` `session`: the session to show; if left out, the one on air now. Ignored with `auto`"
  })
}).annotations({ identifier: "OnAirChoice" })

/** As it is now. */
export const OnAir = Schema.Struct({
  mode: OnAirMode.annotations({
    description:
      "`auto`: the running session of the oldest connection, else the newest session; `session`: the one that a client chose"
  }),
  sessionId: Schema.NullOr(Schema.Int).annotations({ description: "Null if there is no session" })
}).annotations({ identifier: "OnAir" })
export type OnAir = typeof OnAir.Type
