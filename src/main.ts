/** Where the program begins. */
import { begin } from "./app/begin.ts"

void begin(async () => {
  const { run } = await import("./app/commands.ts")
  run(process.argv.slice(2))
})
