import { steeringLock, readOptions } from "../../driverOptions.ts"

export const options = { steeringLock }

export const read = readOptions(options)
