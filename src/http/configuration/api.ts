import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Configuration as ConfigurationSchema } from "../../domain/Configuration.ts"

export const Names = Schema.Array(Schema.String).annotations({ description: "Names, sorted" })

export const Configuration = HttpApiGroup.make("configuration")
  .add(
    HttpApiEndpoint.get("read", "/config")
      .annotate(OpenApi.Summary, "Read the configuration")
      .addSuccess(ConfigurationSchema)
      .annotate(OpenApi.Description, "The configuration.")
  )
  .add(
    HttpApiEndpoint.put("update", "/config")
      .annotate(OpenApi.Summary, "Replace the configuration")
      .setPayload(ConfigurationSchema)
      .addSuccess(ConfigurationSchema)
      .annotate(OpenApi.Description, "Replaces the configuration, which is kept across restarts.")
  )
  .add(
    HttpApiEndpoint.get("circuits", "/config/circuits")
      .annotate(OpenApi.Summary, "List the circuits")
      .addSuccess(Names)
      .annotate(OpenApi.Description, "The circuits that have a session, sorted.")
  )
  .add(
    HttpApiEndpoint.get("vehicles", "/config/vehicles")
      .annotate(OpenApi.Summary, "List the vehicles")
      .addSuccess(Names)
      .annotate(OpenApi.Description, "The vehicles that have a session, sorted.")
  )
