/** The title of the document, from the page's content, so that tabs and bookmarks can be distinguished. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"

const named = signal<string | undefined>(undefined)

/** Sets the title of a page for as long as it is shown; undefined: not known yet. */
export const useTitle = (title: string | undefined) => {
  useEffect(() => {
    named.value = title
    return () => {
      named.value = undefined
    }
  }, [title])
}

/** `page`: its name in the navigation. */
export const titleOf = (page: string): string =>
  named.value === undefined ? `${page} · Telemetry` : `${named.value} · ${page} · Telemetry`
