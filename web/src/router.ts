/** Where we are, as a signal; links of this document move without loading it again. */
import { signal } from "@preact/signals"

interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) })

export const place = signal(here())

/** `replace` leaves no step to go back to: for what only adjusts what is shown. */
export const go = (href: string, how: "push" | "replace" = "push") => {
  if (how === "push") history.pushState(null, "", href)
  else history.replaceState(null, "", href)
  const from = place.value.path
  place.value = here()
  if (how === "push" && from !== place.value.path) window.scrollTo(0, 0)
}

type Changes = Readonly<Record<string, string | undefined>>

/** The address of this page with some of its query changed; undefined takes a parameter away. */
export const withQuery = (changes: Changes): string => {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  // Between names and numbers a comma needs no escape, and the address can be read.
  const readable = text.replaceAll("%2C", ",")
  return text === "" ? location.pathname : `${location.pathname}?${readable}`
}

/** Keeps in the address what is shown already: nothing is drawn again for it. */
export const note = (changes: Changes) => history.replaceState(null, "", withQuery(changes))

/** Paths that the service answers itself, or that open by themselves. */
const isElsewhere = (path: string) => /^\/(api|docs|openapi\.json|metrics|overlay\/)/.test(path)

export const followLinks = () => {
  window.addEventListener("popstate", () => (place.value = here()))
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null || link.target !== "" || link.hasAttribute("download")) return
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || isElsewhere(link.pathname) || link.hash !== "") return
    event.preventDefault()
    go(link.pathname + link.search)
  })
}
