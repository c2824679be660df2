/** Dark or light: the system's preference until the user chooses, which this browser remembers. */
import { computed, effect, signal } from "@preact/signals"
import { kept } from "./kept.ts"

export type Theme = "dark" | "light"

const KEY = "theme"
const system = window.matchMedia("(prefers-color-scheme: light)")
const preferred = signal<Theme>(system.matches ? "light" : "dark")
system.addEventListener("change", () => (preferred.value = system.matches ? "light" : "dark"))

const remembered = (): Theme | undefined => {
  const value = kept.get(KEY)
  return value === "dark" || value === "light" ? value : undefined
}

const chosen = signal(remembered())

export const theme = computed<Theme>(() => chosen.value ?? preferred.value)

export const switchTheme = () => {
  chosen.value = theme.value === "dark" ? "light" : "dark"
  kept.set(KEY, chosen.value)
}

const paper = window.matchMedia("print")

/** Paper is light. A canvas cannot be drawn again before it is printed: `drawn` marks the theme that it was drawn in. */
const dress = () => {
  const { dataset } = document.documentElement
  dataset["theme"] = paper.matches ? "light" : theme.value
  dataset["drawn"] = theme.value
}

/** Keeps the document in the chosen theme, and in the light one while it is printed. */
export const applyTheme = () => {
  paper.addEventListener("change", dress)
  effect(dress)
}

/** A colour of tokens.css, by its name without the dashes. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
