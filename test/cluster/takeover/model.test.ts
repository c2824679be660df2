/**
 * The order of steps by which a session goes from node to node, in random schedules: nodes are killed, stand still and go on, are cut off
 * from the catalog, and their rows arrive late. Each point is read once and in order, and every acknowledged one is read. Without any of
 * the five rules it fails.
 */
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"

interface Row {
  /** The point's number in the feed. */
  readonly n: number
  /** By the clock that its recorder has made of its arrival. */
  readonly time: number
}

const rules = [
  "own keys",
  "a cut",
  "a question after each write",
  "the cut before the connection",
  "leaving what was taken before taking more"
] as const
type Rule = (typeof rules)[number]

/** Nodes anchor a feed's clock so far apart at most, in steps of the feed. */
const ANCHORS = [0, 0.4, -0.4]

class RecordingNode {
  readonly anchor: number
  isAlive = true
  isStill = false
  seesCatalog = true
  isConnected = false
  key = 0
  /** The last time that it has recorded, or that the session had before. */
  last = -Infinity
  received: Array<Row> = []
  /** Sent to the store, and not there yet. */
  sent: Array<{ readonly key: number; readonly row: Row }> = []
  /** In the store, and not acknowledged. */
  written: Array<Row> = []

  constructor(anchor: number) {
    this.anchor = anchor
  }

  get runs() {
    return this.isAlive && !this.isStill
  }
}

class World {
  readonly #without: Rule | undefined
  readonly nodes = ANCHORS.map((anchor) => new RecordingNode(anchor))
  owner = 0
  readonly parts: Array<{ readonly key: number; until: number }> = [{ key: 0, until: Infinity }]
  readonly rows = new Map<number, Array<Row>>([[0, []]])
  readonly acknowledged = new Set<number>()
  #next = 0

  constructor(without: Rule | undefined) {
    this.#without = without
    this.nodes[0]!.isConnected = true
  }

  /** Every connected node that is not killed gets the point; one that stands still finds it when it goes on. */
  emit() {
    const n = this.#next++
    for (const node of this.nodes) {
      if (node.isAlive && node.isConnected) node.received.push({ n, time: n + node.anchor })
    }
  }

  send(node: RecordingNode) {
    for (const row of node.received) {
      if (row.time <= node.last) continue
      node.last = row.time
      node.sent.push({ key: node.key, row })
    }
    node.received = []
  }

  /** One row arrives at the store; that needs no node that runs. */
  arrive(node: RecordingNode) {
    const first = node.sent.shift()
    if (first === undefined) return
    this.rows.get(first.key)!.push(first.row)
    if (this.#without === "a question after each write") this.acknowledged.add(first.row.n)
    else node.written.push(first.row)
  }

  ask(node: RecordingNode) {
    if (!node.seesCatalog) return
    if (this.nodes[this.owner] === node) for (const { n } of node.written) this.acknowledged.add(n)
    else node.isConnected = false
    node.written = []
  }

  takeOver(by: number) {
    const node = this.nodes[by]!
    if (by === this.owner || !node.runs || !node.seesCatalog) return
    if (this.#without !== "leaving what was taken before taking more") {
      while (node.sent.length > 0) this.arrive(node)
      this.ask(node)
    }
    this.owner = by
    const cut = () => {
      const until = this.read.at(-1)?.time ?? -Infinity
      const last = this.parts.at(-1)!
      if (this.#without !== "a cut") last.until = until
      node.last = until
      node.key = this.#without === "own keys" ? 0 : this.parts.length
      if (node.key !== 0) {
        this.parts.push({ key: node.key, until: Infinity })
        this.rows.set(node.key, [])
      } else last.until = Infinity
      node.received = []
    }
    if (this.#without === "the cut before the connection") {
      node.isConnected = true
      this.emit()
      const early = node.received
      cut()
      // What came before the cut is recorded as if it were later.
      node.received = early.map(({ n, time }) => ({ n, time: Math.max(time, node.last + 1e-3) }))
    } else cut()
    node.isConnected = true
  }

  /** What readers get: of each part the rows that count. */
  get read(): ReadonlyArray<Row> {
    let from = -Infinity
    return this.parts.flatMap(({ key, until }) => {
      const rows = this.rows.get(key)!.filter(({ time }) => time > from && time <= until)
      from = until
      return rows
    })
  }
}

const steps = [
  "emit",
  "emit",
  "emit",
  "send",
  "arrive",
  "arrive",
  "ask",
  "kill",
  "stand still",
  "go on",
  "cut off",
  "heal",
  "take"
] as const

const schedule = FastCheck.array(
  FastCheck.record({ step: FastCheck.constantFrom(...steps), node: FastCheck.nat(ANCHORS.length - 1) }),
  { minLength: 20, maxLength: 120 }
)

const run = (
  without: Rule | undefined,
  actions: ReadonlyArray<{ readonly step: (typeof steps)[number]; readonly node: number }>
) => {
  const world = new World(without)
  for (const { node: at, step } of actions) {
    const node = world.nodes[at]!
    if (step === "emit") world.emit()
    else if (step === "arrive") world.arrive(node)
    else if (step === "kill" && at !== 2) node.isAlive = node.isConnected = false
    else if (step === "stand still") node.isStill = true
    else if (step === "go on") node.isStill = false
    else if (step === "cut off") node.seesCatalog = false
    else if (step === "heal") node.seesCatalog = true
    else if (step === "take") world.takeOver(at)
    else if (node.runs && step === "send") world.send(node)
    else if (node.runs && step === "ask") world.ask(node)
  }
  // Whatever was sent arrives in the end.
  for (const node of world.nodes) while (node.sent.length > 0) world.arrive(node)
  const numbers = world.read.map(({ n }) => n)
  const times = world.read.map(({ time }) => time)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(times.every((time, i) => i === 0 || time > times[i - 1]!)).toBe(true)
  for (const n of world.acknowledged) expect(numbers).toContain(n)
}

describe("a session that goes from node to node", () => {
  it("has every acknowledged point, once and in order", () => {
    const { counterexample } = FastCheck.check(
      FastCheck.property(schedule, (actions) => run(undefined, actions)),
      { numRuns: 2000 }
    )
    expect(counterexample).toBeNull()
  })

  for (const rule of rules) {
    it(`would not without ${rule}`, () => {
      const { failed } = FastCheck.check(
        FastCheck.property(schedule, (actions) => run(rule, actions)),
        { numRuns: 5000, seed: 1 }
      )
      expect(failed).toBe(true)
    })
  }
})
