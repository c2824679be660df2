/** The API's description as a page, in which requests can be tried. */
import { effect } from "@preact/signals"
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js"
import { at } from "./base.ts"
import { applyTheme, theme } from "./theme.ts"
import { token } from "./token.ts"

applyTheme()
effect(() => void document.documentElement.classList.toggle("dark-mode", theme.value === "dark"))

SwaggerUI({
  dom_id: "#swagger-ui",
  url: at("/openapi.json"),
  deepLinking: true,
  // Schemas below the operations: their names first.
  defaultModelsExpandDepth: 0,
  // Would be asked of a server elsewhere.
  validatorUrl: null,
  // The token that the pages have kept, unless another was given here.
  requestInterceptor: (request) => {
    const given = token()
    if (given !== undefined) request.headers["Authorization"] ??= `Bearer ${given}`
    return request
  }
})
