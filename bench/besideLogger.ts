/**
 * The service beside loggers of others from PyPI (beside/loggers.ts), with the same game's datagrams at 60 Hz, of one
 * car: their cost with no live client and with 10 and 100, the time to read a lap, and the loss of a drive when they
 * are killed. A logger that cannot be installed here is left out by name.
 *
 *   npm run bench -- besideLogger        (SECONDS, WARM_UP, RUNS by environment)
 */
import { setTimeout as sleep } from "node:timers/promises"
import { F1_TELEMETRY, isHere, TRACE } from "./beside/loggers.ts"
import { f1Telemetry, serviceF1, serviceGt7, type Subject, trace } from "./beside/subjects.ts"
import type { AudienceFigures } from "./suite/audience.ts"
import { compare, type Figures, scaled, wanted } from "./suite/comparison.ts"
import { setting } from "./suite/figures.ts"
import { startProgram } from "./suite/programs.ts"

const SECONDS = setting("SECONDS", scaled(20, 1))
/** f1-telemetry writes its first row after 16 s. */
const WARM_UP = setting("WARM_UP", scaled(25, 1))
/** A lap of 1.7 km takes well under a minute; faster than real time in smoke runs, whose figures mean nothing. */
const DRIVE = ["--circuit", "Larkspur Park", "--speed", String(scaled(1, 4))]
const READS = scaled(20, 2)
/** How far into a lap the program is killed. */
const MID_LAP_S = scaled(20, 1)
const LOOK_EVERY_MS = 100
/** Two laps, and as much again, s. */
const NO_LAP_AFTER_S = 240
const CPU = "% of a core"
const MIB = 1024 * 1024

type Start = (flags: ReadonlyArray<string>) => Promise<Subject>
interface Contender {
  readonly name: string
  readonly start: Start
}

const ofGt7: ReadonlyArray<Contender> = [
  { name: "service, Gran Turismo 7", start: serviceGt7 },
  ...(isHere(TRACE) ? [{ name: TRACE, start: trace }] : [])
]
const ofF1: ReadonlyArray<Contender> = [
  { name: "service, F1 26", start: serviceF1 },
  ...(isHere(F1_TELEMETRY) ? [{ name: F1_TELEMETRY, start: f1Telemetry }] : [])
]

/** A drive in which something is measured. */
const driven = async (start: Start, measure: (subject: Subject) => Promise<Figures>): Promise<Figures> => {
  const subject = await start(DRIVE)
  try {
    return await measure(subject)
  } finally {
    await subject.stop()
  }
}

const taken = async ({ program, sent }: Subject) => {
  const [cpu, points] = [program.cpuSeconds(), sent()]
  await sleep(SECONDS * 1000)
  if (sent() === points) throw new Error("nothing was sent")
  return program.cpuSeconds() - cpu
}

const unwatched = (start: Start) =>
  driven(start, async (subject) => {
    await sleep(WARM_UP * 1000)
    const wakeUps = subject.program.wakeUps()
    const cpuSeconds = await taken(subject)
    return {
      [CPU]: (cpuSeconds * 100) / SECONDS,
      "MiB resident": subject.program.memory().now / MIB,
      "wake-ups a second": (subject.program.wakeUps() - wakeUps) / SECONDS
    }
  })

const watched = (start: Start, clients: number) =>
  driven(start, async (subject) => {
    await sleep(WARM_UP * 1000)
    const audience = await startProgram("suite/audience.ts", [subject.live, String(clients)])
    const cpuSeconds = await taken(subject)
    process.kill(audience.pid, "SIGUSR2")
    const { messages } = JSON.parse(await audience.nextLine()) as AudienceFigures
    await audience.stop()
    if (messages === 0) throw new Error("no live client got a message")
    return {
      [CPU]: (cpuSeconds * 100) / SECONDS,
      "MiB resident": subject.program.memory().now / MIB,
      "messages a second to each": messages / clients / SECONDS,
      "us CPU a message": (cpuSeconds / messages) * 1e6
    }
  })

const killed = async (subject: Subject) => {
  const sent = subject.sent()
  await subject.program.kill()
  return { "s of the drive lost": Math.max(0, sent - subject.kept()) / subject.perSecond }
}

/** Two lines must be crossed: a logger begins at the first, and the second ends the lap. */
const readAndKilled = (start: Start) =>
  driven(start, async (subject) => {
    const deadline = performance.now() + NO_LAP_AFTER_S * 1000
    let lap = await subject.readLap(READS)
    while (lap === undefined) {
      if (performance.now() > deadline) throw new Error("there was no whole lap")
      await sleep(LOOK_EVERY_MS)
      lap = await subject.readLap(READS)
    }
    await sleep(MID_LAP_S * 1000)
    return { "points of the lap": lap.points, "a lap read, ms": lap.ms, ...(await killed(subject)) }
  })

const drivenAndKilled = (start: Start) =>
  driven(start, async (subject) => {
    await sleep(WARM_UP * 1000)
    return killed(subject)
  })

const compared = async (
  title: string,
  contenders: ReadonlyArray<Contender>,
  run: (start: Start) => Promise<Figures>
) => {
  if (!wanted(title)) return
  await compare({ title, subjects: contenders.map(({ name, start }) => ({ name, run: () => run(start) })) })
}

await compared(`One car at 60 Hz, nobody watching, ${SECONDS} s`, [...ofGt7, ...ofF1], unwatched)
for (const clients of [10, 100]) {
  await compared(`One car at 60 Hz, ${clients} live clients, ${SECONDS} s`, ofF1, (start) =>
    watched(start, clients)
  )
}
await compared("Gran Turismo 7: a lap read, and kill -9 in the middle of the next", ofGt7, readAndKilled)
await compared(`F1 26: kill -9 after ${WARM_UP} s`, ofF1, drivenAndKilled)
