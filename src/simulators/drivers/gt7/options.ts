import { Schema } from "effect"
import { steeringLock, readOptions } from "../../driverOptions.ts"

export const options = {
  steeringLock,
  replays: Schema.optional(Schema.Boolean).annotations({
    description:
      "Gran Turismo 7: record replays, too. They show a car that is not on track, so nothing of them is recorded without"
  })
}

export const read = readOptions(options)
