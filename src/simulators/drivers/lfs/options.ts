import { Schema } from "effect"
import { Password, readOptions } from "../../driverOptions.ts"

export const options = {
  adminPassword: Schema.optional(Password).annotations({
    description: "Live for Speed: the host's admin password"
  })
}

export const read = readOptions(options)
