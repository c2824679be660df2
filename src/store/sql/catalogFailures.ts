import { failuresOf } from "./failures.ts"

export const { orUnavailable, unavailable } = failuresOf("catalog")
