/** What answers requests, and what wraps it. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpApp from "@effect/platform/HttpApp"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type { Scope } from "effect"
import type { Counts } from "../observability/Counts.ts"
import type { Dictionaries } from "../store/Dictionaries.ts"
import type { TrpcServices } from "./trpc/Services.ts"

/** The services that routes need. The server's context has them, so that no request has to be given them. */
export type RouteServices = TrpcServices | Counts | Dictionaries | FileSystem.FileSystem

/** What exists for each request. */
export type OfRequest = HttpServerRequest.HttpServerRequest | Scope.Scope

/** An app answers the current request, or fails with an error that detail.ts makes an answer of. */
export type App = HttpApp.Default<unknown, RouteServices | OfRequest>

export type Middleware = (app: App) => App
