import { Schema } from "effect"
import { steeringLock, readOptions } from "../../driverOptions.ts"

export const options = {
  steeringLock,
  replays: Schema.optional(Schema.Boolean).annotations({
    description:
      "Gran Turismo 7: record replays too. Without this the service skips them, because the car in them is not on track"
  })
}

export const read = readOptions(options)
