/** The API's description as a page on which requests can be tried. */
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
  // Lists the operations first, and the schemas below them by name.
  defaultModelsExpandDepth: 0,
  // Validation would ask a server on the internet.
  validatorUrl: null,
  // Uses the token that the pages remember, unless the user gives another one here.
  requestInterceptor: (request) => {
    const given = token()
    if (given !== undefined) request.headers["Authorization"] ??= `Bearer ${given}`
    return request
  }
})
