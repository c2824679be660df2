/** The types of an app, which answers requests, and of its middleware. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type { Scope } from "effect"
import type { Counts } from "../observability/Counts.ts"
import type { Dictionaries } from "../store/Dictionaries.ts"
import type { TrpcServices } from "./trpc/Services.ts"

/** The services that routes need. They are in the server's context, so no request has to provide them. */
export type RouteServices = TrpcServices | Counts | Dictionaries | FileSystem.FileSystem

/** The services that exist for each request. */
export type OfRequest = HttpServerRequest.HttpServerRequest | Scope.Scope

/** An app answers the current request, or fails with an error that detail.ts turns into an answer. */
export type App = HttpApp.Default<unknown, RouteServices | OfRequest>

export type Middleware = (app: App) => App
