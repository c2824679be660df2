import { Schema } from "effect"

/** Which games the service records without a connect. */
export const Games = Schema.Literal("none", "auto").annotations({
  description:
    "`auto`: the service listens on the usual ports of all games that send over UDP, and records whichever of them sends. The service sends nothing. A connect on such a port replaces the automatic connection"
})
export type Games = typeof Games.Type

/** A port on which the service listens for any game, without a connect. */
export const ListeningPort = Schema.Struct({
  port: Schema.Int,
  state: Schema.Literal("waiting", "connected", "taken", "refused").annotations({
    description:
      "`connected`: a game sends, and is among `connections`; `taken`: another program has the port, and the service tries again; `refused`: the system does not open the port, or a game sends in a format that the service cannot read"
  }),
  datagrams: Schema.Int.annotations({
    description: "Datagrams that arrived while the port waits, and are of no game that the service knows"
  }),
  advice: Schema.NullOr(Schema.String).annotations({
    description: "What to change in the game that sends, where its datagrams show it"
  })
}).annotations({ identifier: "ListeningPort" })
export type ListeningPort = typeof ListeningPort.Type
