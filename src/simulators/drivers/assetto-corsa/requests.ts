/** The requests to Assetto Corsa. */
import { operations, request, VERSION } from "./layout.ts"

const DEVICE = 1

export const encodeRequest = (operation: keyof typeof operations): Buffer =>
  request.bytes({ identifier: DEVICE, version: VERSION, operationId: operations[operation] })
