/** Which modules a source imports, and which of those a table of rules forbids. */
import { posix } from "node:path"
import type { ImportRule } from "./importRules.ts"

export interface Source {
  /** As seen from the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

/** Static imports and exports, of values and of types, over several lines or one; and what is loaded or named in between. */
const STATIC = /^\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']/gm
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g

/** The modules of the repository that a source imports, as seen from its root, each once. */
export const importsOf = ({ path, text }: Source): ReadonlyArray<string> => {
  const specifiers = [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map(([, specifier]) => specifier!)
  const ours = specifiers.filter((specifier) => specifier.startsWith("."))
  return [...new Set(ours.map((specifier) => posix.join(posix.dirname(path), specifier)))]
}

const isIn = (path: string, part: string): boolean => path === part || path.startsWith(`${part}/`)

/** The longest row that a file is in. */
const ruleFor = (path: string, rules: Readonly<Record<string, ImportRule>>) =>
  Object.entries(rules)
    .filter(([part]) => isIn(path, part))
    .sort(([a], [b]) => b.length - a.length)[0]

/** A sentence for each import that no rule allows: the file, what it imports, and the rule. */
export const forbidden = (
  sources: ReadonlyArray<Source>,
  rules: Readonly<Record<string, ImportRule>>
): ReadonlyArray<string> =>
  sources.flatMap((source) => {
    const rule = ruleFor(source.path, rules)
    if (rule === undefined) return []
    const [part, { because, may }] = rule
    return importsOf(source)
      .filter((imported) => ![part, ...may].some((allowed) => isIn(imported, allowed)))
      .map(
        (imported) =>
          `${source.path} imports ${imported}, but ${part} may import only ${[part, ...may].join(", ")}: ${because}`
      )
  })
