import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Configuration as ConfigurationSchema } from "../../domain/Configuration.ts"

export const Configuration = HttpApiGroup.make("configuration")
  .add(HttpApiEndpoint.get("read", "/config").addSuccess(ConfigurationSchema))
  .add(
    HttpApiEndpoint.put("update", "/config")
      .setPayload(ConfigurationSchema)
      .addSuccess(ConfigurationSchema)
      .annotate(OpenApi.Description, "Replaces the configuration, which is kept across restarts.")
  )
  .add(
    HttpApiEndpoint.get("circuits", "/config/circuits")
      .addSuccess(Schema.Array(Schema.String))
      .annotate(OpenApi.Description, "The circuits that have a session, sorted.")
  )
  .add(
    HttpApiEndpoint.get("vehicles", "/config/vehicles")
      .addSuccess(Schema.Array(Schema.String))
      .annotate(OpenApi.Description, "The vehicles that have a session, sorted.")
  )
