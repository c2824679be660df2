import { Schema } from "effect"
import { Password, readOptions } from "../../driverOptions.ts"

export const options = {
  password: Schema.optional(Password).annotations({
    description: "Assetto Corsa Competizione: the connection password in its broadcasting.json"
  })
}

export const read = readOptions(options)
