/**
 * The current address as a signal. Links within this document change it without loading the document again. Paths are the
 * service's, as its router writes them: a proxy's path on this host is known here and in `base.ts` only.
 */
import { signal } from "@preact/signals"
import { options } from "preact"
import { at, base, without } from "./base.ts"

/** Links of the pages have the service's paths; the browser needs those of the host. */
if (base !== "/") {
  const before = options.vnode
  options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown }
    if (vnode.type === "a" && typeof props.href === "string" && props.href.startsWith("/"))
      props.href = at(props.href)
    before?.(vnode)
  }
}

interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({ path: without(location.pathname), query: new URLSearchParams(location.search) })

export const place = signal(here())

/** `replace` adds no step to the browser's history: for changes that only adjust the view. */
export const go = (href: string, how: "push" | "replace" = "push") => {
  if (how === "push") history.pushState(null, "", at(href))
  else history.replaceState(null, "", at(href))
  const from = place.value.path
  place.value = here()
  if (how === "push" && from !== place.value.path) window.scrollTo(0, 0)
}

type Changes = Readonly<Record<string, string | undefined>>

/** The address of this page with changes to its query; undefined removes a parameter. */
export const withQuery = (changes: Changes): string => {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  // Between names and numbers a comma needs no escape, and the address stays readable.
  const readable = text.replaceAll("%2C", ",")
  const { path } = here()
  return text === "" ? path : `${path}?${readable}`
}

/** Writes the shown view into the address, without drawing again. */
export const note = (changes: Changes) => history.replaceState(null, "", at(withQuery(changes)))

/** Paths that the service answers itself, or that open new documents. */
const isElsewhere = (path: string) => /^\/(api|docs|openapi\.json|metrics|overlay\/)/.test(path)

export const followLinks = () => {
  window.addEventListener("popstate", () => (place.value = here()))
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    if (link === null || link.target !== "" || link.hasAttribute("download")) return
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || !link.pathname.startsWith(base) || link.hash !== "") return
    const path = without(link.pathname)
    if (isElsewhere(path)) return
    event.preventDefault()
    go(path + link.search)
  })
}
