/** The pages: their shell, and the choice of the page. The code of a page is loaded on its first visit. */
import { signal } from "@preact/signals"
import { type ComponentType, render } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { at } from "./base.ts"
import { loadNames } from "./loadNames.ts"
import { followLinks, place } from "./router.ts"
import { applyTheme, switchTheme, theme } from "./theme.ts"
import { Notice } from "./ui/Notice.tsx"
import { NotLoaded } from "./ui/NotLoaded.tsx"
import { pages } from "./ui/pages.ts"
import { listShortcuts, Shortcuts } from "./ui/Shortcuts.tsx"
import { titleOf } from "./ui/title.ts"
import { TokenDialog } from "./ui/TokenDialog.tsx"

const loaders: Readonly<Record<string, () => Promise<ComponentType>>> = {
  "/": async () => (await import("./pages/LivePage.tsx")).LivePage,
  "/sessions": async () => (await import("./pages/SessionsPage.tsx")).SessionsPage,
  "/session": async () => (await import("./pages/SessionPage.tsx")).SessionPage,
  "/diagrams": async () => (await import("./pages/DiagramsPage.tsx")).DiagramsPage,
  "/import": async () => (await import("./pages/ImportPage.tsx")).ImportPage,
  "/compare": async () => (await import("./pages/ComparePage.tsx")).ComparePage,
  "/statistics": async () => (await import("./pages/StatisticsPage.tsx")).StatisticsPage,
  "/overlays": async () => (await import("./pages/OverlaysPage.tsx")).OverlaysPage,
  "/overlays/layout": async () => (await import("./pages/LayoutPage.tsx")).LayoutPage,
  "/settings": async () => (await import("./pages/SettingsPage.tsx")).SettingsPage
}

const loaded = signal<Readonly<Record<string, ComponentType | "failed">>>({})

/** The pages of one session. */
const ofSession: Readonly<Record<string, string>> = { "": "/session", "/diagrams": "/diagrams" }

const pageOf = (path: string) => {
  const [, rest] = /^\/sessions\/\d+(|\/\w+)$/.exec(path) ?? []
  return rest === undefined ? path : (ofSession[rest] ?? path)
}

const asked = new Set<string>()

const load = (page: string) => {
  const loader = loaders[page]
  if (loader === undefined || asked.has(page)) return
  asked.add(page)
  loader().then(
    (component) => (loaded.value = { ...loaded.value, [page]: component }),
    () => (loaded.value = { ...loaded.value, [page]: "failed" })
  )
}

const Page = () => {
  const page = pageOf(place.value.path)
  useEffect(() => load(page), [page])
  const Shown = loaded.value[page]
  if (loaders[page] === undefined) {
    return (
      <div class="stack">
        <h1>Not found</h1>
        <Notice title="There is no such page." />
      </div>
    )
  }
  if (Shown === "failed") return <NotLoaded />
  return Shown === undefined ? <p class="muted">Loading …</p> : <Shown key={place.value.path} />
}

const Shell = () => {
  const { path } = place.value
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)
  const title = titleOf(
    pages.find((page) => page.path === path)?.title ??
      (path.startsWith("/overlays/")
        ? "Arrange overlays"
        : path.endsWith("/diagrams")
          ? "Diagrams"
          : "Session")
  )
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    // A screen reader continues at the new page, except when the document has just been opened.
    if (!first.current) main.current?.focus({ preventScroll: true })
    first.current = false
  }, [path])
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <a class="brand" href="/">
          <img src={at("/favicon.svg")} alt="" /> Telemetry
        </a>
        <nav aria-label="Pages">
          {pages.map(({ path: to, title }) => (
            <a
              key={to}
              href={to}
              aria-current={path === to || (to !== "/" && path.startsWith(`${to}/`)) ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class="tools form">
          <button type="button" class="icon" onClick={switchTheme}>
            {theme.value === "dark" ? "Light" : "Dark"}
          </button>
          <button type="button" class="icon" onClick={listShortcuts} aria-label="Keyboard shortcuts">
            ?
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Page />
      </main>
      <Shortcuts />
      <TokenDialog />
    </div>
  )
}

applyTheme()
followLinks()
// Starts before the shell is loaded, so that both load at once.
load(pageOf(place.value.path))
loadNames()
render(<Shell />, document.getElementById("app")!)
