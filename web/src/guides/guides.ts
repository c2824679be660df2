/** Simulators in words of their users. Made from the documents by tools/docs/writeGuides.ts. */
import titles from "./titles.json"

interface Guide {
  readonly title: string
  /** Its usual port, or one that its page proposes; null for none. */
  readonly port: number | null
  /** Its game sends by itself; else the service asks. */
  readonly sends: boolean
}

const guides = titles as Readonly<Record<string, Guide>>

/** A driver without a guide is a part of others: it needs no choice of its own. */
export const isOffered = (name: string): boolean => name in guides

/** Of a simulator that the documents lack, nothing is known. */
export const guideOf = (name: string): Guide => guides[name] ?? { title: name, port: null, sends: false }

export const titleOf = (name: string): string => guideOf(name).title

/** A sentence of the service, which names simulators and faults as programs do, for the form. */
export const inWords = (sentence: string): string =>
  sentence
    .replace(/with "simulator": "([\w-]+)"/g, (_, name: string) => `as ${titleOf(name)}`)
    .replace(/ \(E[A-Z]+\)/, "")

/** What to set in a game, as HTML from the documents; undefined for nothing. */
export const stepsOf = async (name: string): Promise<string | undefined> => {
  const { default: steps } = await import("./steps.json")
  return (steps as Readonly<Record<string, string>>)[name]
}
