/** The keyboard: `?` lists the keys, `g` and a letter goes to a page, `t` switches the theme. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { go } from "../router.ts"
import { switchTheme } from "../theme.ts"
import { Dialog } from "./Dialog.tsx"
import { pages } from "./pages.ts"

const listed = signal(false)

export const listShortcuts = () => (listed.value = true)

/** Keys typed into a field are its own. */
const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]")

const listen = () => {
  let going = false
  const press = (event: KeyboardEvent) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
    const to = going ? pages.find(({ key }) => key === event.key) : undefined
    going = event.key === "g"
    if (to !== undefined) go(to.path)
    else if (event.key === "?") listShortcuts()
    else if (event.key === "t") switchTheme()
  }
  document.addEventListener("keydown", press)
  return () => document.removeEventListener("keydown", press)
}

const Row = ({ keys, what }: { keys: ReadonlyArray<string>; what: string }) => (
  <tr>
    <td>
      {keys.map((key) => (
        <>
          <kbd key={key}>{key}</kbd>{" "}
        </>
      ))}
    </td>
    <td>{what}</td>
  </tr>
)

export const Shortcuts = () => {
  useEffect(listen, [])
  return (
    <Dialog open={listed.value} title="Keyboard" close={() => (listed.value = false)}>
      <table>
        <tbody>
          {pages.map(({ key, title }) => (
            <Row key={key} keys={["g", key]} what={`Go to ${title}`} />
          ))}
          <Row keys={["t"]} what="Dark or light" />
          <Row keys={["?"]} what="This list" />
          <Row keys={["←", "→"]} what="Move the cursor along the lap (Compare)" />
          <Row keys={["+", "−", "0"]} what="Zoom in, out, whole lap (Compare)" />
          <Row keys={["Esc"]} what="Close a dialog" />
        </tbody>
      </table>
      <div class="form">
        <button type="button" onClick={() => (listed.value = false)}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
