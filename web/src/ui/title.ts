/** What the document is called: by what is on the page, so that tabs and bookmarks can be distinguished. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"

const named = signal<string | undefined>(undefined)

/** The title of what a page shows, for as long as it does; undefined: not known yet. */
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
