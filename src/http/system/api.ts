import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { ConnectionStatus, ConnectRequest } from "../../domain/Connection.ts"
import { Host, Port } from "../../domain/Configuration.ts"
import { withOptionalBody } from "../openApi.ts"
import * as Problems from "../problems.ts"

export const Health = Schema.Struct({
  status: Schema.Literal("healthy"),
  version: Schema.String.annotations({ examples: ["1.2.3"] })
}).annotations({ identifier: "Health" })

export const Unhealthy = Schema.Struct({
  status: Schema.Literal("unhealthy"),
  version: Schema.String,
  detail: Schema.String
}).annotations(
  HttpApiSchema.annotations({
    status: 503,
    identifier: "Unhealthy",
    description: "Something is not well: detail says what"
  })
)

export const SystemStatus = Schema.Struct({
  connected: Schema.Boolean,
  uptime: Schema.Number.annotations({ description: "Seconds since the service started" }),
  sessions_count: Schema.Int,
  laps_count: Schema.Int,
  last_telemetry: Schema.NullOr(Schema.String).annotations({
    description: "When telemetry last arrived; null before the first point"
  }),
  connections: Schema.Array(ConnectionStatus),
  store: Schema.Struct({
    bytes: Schema.Int.annotations({
      description: "Of the SQLite files in the data folder, with their logs"
    }),
    in_use_bytes: Schema.NullOr(Schema.Int).annotations({
      description:
        "Where points are kept: of the SQLite file what --keep-size limits, of QuestDB what the table of points takes on its disk; null while it does not answer"
    }),
    disk_free_bytes: Schema.NullOr(Schema.Int).annotations({
      description: "Free on the disk of the data folder; null where the system does not say"
    })
  })
}).annotations({ identifier: "SystemStatus" })

export const ConnectResult = Schema.Struct({
  connected: Schema.Literal(true),
  host: Schema.String,
  port: Schema.Int,
  app_name: Schema.String,
  simulator: Schema.String,
  session_id: Schema.NullOr(Schema.Int).annotations({
    description: "Null until the simulator says that a session runs"
  }),
  message: Schema.String
}).annotations({ identifier: "ConnectResult" })

/** Which connection to end. */
export const DisconnectRequest = Schema.Struct({ host: Host, port: Port }).annotations({
  identifier: "DisconnectRequest"
})

export const DisconnectResult = Schema.Struct({
  connected: Schema.Literal(false),
  message: Schema.String
}).annotations({ identifier: "DisconnectResult" })

export const System = HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health")
      .annotate(OpenApi.Summary, "Whether the service works")
      .addSuccess(Health)
      .addSuccess(Unhealthy)
      .annotate(
        OpenApi.Description,
        "Healthy while catalog and points answer within 2 s, nothing that was received has waited for longer than that to be stored, the data folder can be written to, and the files in it are those that were opened."
      )
  )
  .add(
    HttpApiEndpoint.get("status", "/status")
      .annotate(OpenApi.Summary, "What is connected, and what became of every point")
      .addSuccess(SystemStatus)
      .annotate(OpenApi.Description, "What the service is connected to and has recorded.")
  )
  .add(
    HttpApiEndpoint.post("connect", "/connect")
      .annotate(OpenApi.Summary, "Connect to a simulator")
      .setPayload(ConnectRequest)
      .addSuccess(ConnectResult)
      .addError(Problems.SimulatorRefused)
      .addError(Problems.NotASimulator)
      .addError(Problems.SimulatorSilent)
      .addError(Problems.AlreadyConnected)
      .addError(Problems.ConnectInterrupted)
      .addError(Problems.UnknownSimulator)
      .addError(Problems.TargetNotAllowed)
      .addError(Problems.TooManyConnects)
      .addError(Problems.SessionNotFound)
      .addError(Problems.SessionBeingRecorded)
      .annotate(
        OpenApi.Description,
        "Connects to a simulator; answers when its handshake has succeeded or failed. Connecting again with the same settings changes nothing. Where the service sends, or opens a connection, host must not be, nor resolve to, a link-local, metadata, multicast, broadcast or unspecified address; a simulator that sends unasked is waited for, and 0.0.0.0 then means every address of this machine. At most 8 simulators are tried at once; others wait for their turn."
      )
  )
  .add(
    HttpApiEndpoint.post("disconnect", "/disconnect")
      .annotate(OpenApi.Summary, "Disconnect from simulators")
      .setPayload(DisconnectRequest)
      .addSuccess(DisconnectResult)
      .annotate(
        OpenApi.Description,
        "Ends one connection, or all without a body. What was received is stored before it answers."
      )
      .annotate(OpenApi.Transform, withOptionalBody)
  )
