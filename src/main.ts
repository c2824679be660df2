/** Where the program begins. */
import { begin } from "./begin.ts"

void begin(async () => {
  const { run } = await import("./commands.ts")
  run(process.argv.slice(2))
})
