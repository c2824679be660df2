/** The used part of Swagger UI, whose package has no types. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface SwaggerRequest {
    readonly url: string
    readonly headers: Record<string, string>
  }
  interface SwaggerOptions {
    readonly requestInterceptor: (request: SwaggerRequest) => SwaggerRequest
    readonly dom_id: string
    readonly url: string
    readonly deepLinking: boolean
    readonly defaultModelsExpandDepth: number
    readonly validatorUrl: string | null
  }
  const SwaggerUI: (options: SwaggerOptions) => unknown
  export default SwaggerUI
}
