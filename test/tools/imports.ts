/** Which modules a source imports, and which of those the tables of rules (importRules.ts) forbid. */
import { posix } from "node:path"
import type { ImportRule, PackageRule } from "./importRules.ts"

export interface Source {
  /** As seen from the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
}

export interface Rules {
  readonly groups: Readonly<Record<string, ReadonlyArray<string>>>
  readonly importRules: Readonly<Record<string, ImportRule>>
  readonly packageRules: Readonly<Record<string, PackageRule>>
}

/** Static imports and exports, of values and of types, over several lines or one; and what is loaded or named in between. */
const STATIC = /^\s*(?:import|export)\b(?:[^"'`;]*?\bfrom)?\s*["']([^"']+)["']/gm
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g

const specifiersOf = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map(([, specifier]) => specifier!))
]

/** The modules of the repository that a source imports, as seen from its root, each once. */
export const importsOf = ({ path, text }: Source): ReadonlyArray<string> =>
  specifiersOf(text)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => posix.join(posix.dirname(path), specifier))

/** The packages and modules of Node that a source imports, by the names that it has for them, each once. */
export const packagesOf = ({ text }: Source): ReadonlyArray<string> =>
  specifiersOf(text).filter((specifier) => !specifier.startsWith("."))

export const isIn = (path: string, part: string): boolean => path === part || path.startsWith(`${part}/`)

const longest = (names: ReadonlyArray<string>): string | undefined =>
  names.toSorted((a, b) => b.length - a.length)[0]

/** The part whose rule holds for a file. */
export const partOf = (path: string, { importRules }: Pick<Rules, "importRules">): string | undefined =>
  longest(Object.keys(importRules).filter((part) => isIn(path, part)))

/** Whether `*` in an entry stands for one folder of the path. */
const isOneOf = (path: string, entry: string): boolean => {
  const [before = "", after] = entry.split("*")
  if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) return false
  const between = path.slice(before.length, path.length - after.length)
  return between !== "" && !between.includes("/")
}

/** Whether an entry of `may`, or the part itself, covers an import: but for what has a row of its own. */
export const covers = (entry: string, imported: string, rules: Rules): boolean =>
  (rules.groups[entry] ?? [entry]).some(
    (allowed) =>
      (isIn(imported, allowed) || isOneOf(imported, allowed)) &&
      (partOf(imported, rules) ?? "").length <= allowed.length
  )

/** The rule that holds for a package. */
export const packageRuleOf = (
  name: string,
  { packageRules }: Pick<Rules, "packageRules">
): string | undefined =>
  longest(
    Object.keys(packageRules).filter((rule) =>
      rule.endsWith("*") ? name.startsWith(rule.slice(0, -1)) : isIn(name, rule)
    )
  )

const ofOurs = (source: Source, rules: Rules): ReadonlyArray<string> => {
  const part = partOf(source.path, rules)
  if (part === undefined) return []
  const { because, exceptions = {}, may } = rules.importRules[part]!
  const all = [part, ...may]
  const besides = exceptions[source.path]?.may ?? []
  return importsOf(source)
    .filter((imported) => ![...all, ...besides].some((entry) => covers(entry, imported, rules)))
    .map(
      (imported) =>
        `${source.path} imports ${imported}, but ${part} may import only ${all.join(", ")}: ${because}`
    )
}

const ofOthers = (source: Source, rules: Rules): ReadonlyArray<string> =>
  packagesOf(source).flatMap((name) => {
    const rule = packageRuleOf(name, rules)
    if (rule === undefined) return [`${source.path} imports ${name}, which has no rule`]
    const { because, in: places } = rules.packageRules[rule]!
    return places.some((place) => isIn(source.path, place))
      ? []
      : [`${source.path} imports ${name}, but ${rule} is imported only in ${places.join(", ")}: ${because}`]
  })

/** A sentence for each import that no rule allows: the file, what it imports, and the rule. */
export const forbidden = (sources: ReadonlyArray<Source>, rules: Rules): ReadonlyArray<string> =>
  sources.flatMap((source) => [...ofOurs(source, rules), ...ofOthers(source, rules)])
