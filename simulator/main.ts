/** `telemetry-simulator FLAGS` is `telemetry simulator FLAGS`. */
import { begin } from "../src/app/begin.ts"

void begin(async () => {
  const { answering, runProgram } = await import("../src/platform/exit.ts")
  const { simulator } = await import("./command.ts")
  runProgram(answering(simulator(process.argv.slice(2))))
})
