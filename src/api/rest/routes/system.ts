import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import * as Nodes from "../../../operations/nodes.ts"
import * as OnAir from "../../../operations/onAir.ts"
import * as Simulators from "../../../operations/simulators.ts"
import * as System from "../../../operations/system.ts"
import { RETRY_LATER } from "../../problems.ts"
import type { Answer } from "../answers.ts"
import { get, post, put, routes } from "../route.ts"

/** 503 if the service is unhealthy. */
const health: Answer<typeof System.Health.Type | typeof System.Unhealthy.Type> = {
  described: [
    { status: 200, content: { "application/json": System.Health } },
    { status: 503, content: { "application/json": System.Unhealthy } }
  ],
  isStreamed: false,
  respond: (health) =>
    Effect.succeed(
      HttpServerResponse.unsafeJson(
        health,
        health.status === "healthy" ? {} : { status: 503, headers: RETRY_LATER }
      )
    )
}

export const system = routes("system", {
  health: get("/health", System.health, {
    summary: "Check whether the service works",
    description:
      "The service is healthy while the catalog and the point store answer within 2 s, no received point has waited longer than that to be stored, the data folder is writable, and its files are those that the service opened.",
    answer: health
  }),
  status: get("/status", System.status, {
    summary: "Read the connections and their counts of points",
    description:
      "Returns the connections, with counts of the points that each received, stored, refused and lost."
  }),
  nodes: get("/nodes", Nodes.list, {
    summary: "List the nodes that share the catalog",
    description:
      "The services on one or several machines that share a catalog on a server, by name; none with the catalog in the data folder. With --relay, another node takes the connections of one that has stopped (docs/scaling.md)."
  }),
  connect: post("/connect", Simulators.connect, {
    summary: "Connect to a simulator",
    description:
      "Connects to a simulator, and answers when the handshake has succeeded or failed. Connecting again with the same settings changes nothing. For a simulator that the service sends to, or opens a connection to, host must neither be nor resolve to a link-local, metadata, multicast, broadcast or unspecified address. For a simulator that sends unasked, host is where the service listens: 0.0.0.0 means every address of this machine. The service tries at most 8 simulators at once; further requests wait for their turn."
  }),
  disconnect: post("/disconnect", Simulators.disconnect, {
    payload: Simulators.DisconnectRequest,
    withoutBody: { input: undefined },
    summary: "Disconnect from simulators",
    description:
      "Ends one connection, or all of them if the request has no body, and forgets them. It answers when everything received is stored."
  }),
  onAir: get("/on-air", OnAir.read, {
    summary: "Read which session is on air",
    description:
      "The session that overlays and the live page show when their address names none. Live clients with events=on_air get it whenever it changes."
  }),
  putOnAir: put("/on-air", OnAir.choose, {
    payload: OnAir.OnAirBody,
    summary: "Choose the session on air",
    description:
      "With mode `session` it stays that session until another choice, or until it is deleted; with `auto` the service chooses: the running session of the oldest connection, else the newest session."
  }),
  connections: get("/connections", Simulators.kept, {
    summary: "List the connections that the service keeps",
    description:
      "A connection is kept until `POST /disconnect` ends it: the service opens it again after a crash or a restart, and tries until its simulator is there. With --no-restore it begins without them, and they stay listed."
  }),
  enable: put("/connections", Simulators.enable, {
    payload: Simulators.EnableRequest,
    summary: "Turn a kept connection on or off",
    description:
      "Off ends the connection and keeps it for later. On tries until its simulator is there. Answers with all kept connections."
  })
})
