import { Console } from "effect"

/** The first line on standard output: whoever starts the service waits for it. */
export const announce = (address: string) => Console.log(`listening on ${address}`)
