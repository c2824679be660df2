/** An overlay for a broadcast. The path names it; the query sets its look. */
import { render } from "preact"
import { without } from "./base.ts"
import { loadNames } from "./loadNames.ts"
import { channelsOf } from "./overlays/catalog.ts"
import { componentOf } from "./overlays/components.ts"
import { Frame } from "./overlays/parts/Frame.tsx"
import { Layout } from "./overlays/parts/Layout.tsx"
import { applyLook, readOptions } from "./overlays/options.ts"

const name = without(location.pathname).split("/")[2] ?? ""
const query = new URLSearchParams(location.search)
const options = readOptions(query, channelsOf([name]))

/** One overlay that fills the window, or several that are arranged in it. */
const shown = () => {
  if (name === "layout") return <Layout options={options} text={query.get("items")} />
  const Overlay = componentOf(name)
  return (
    <Frame>
      <Overlay options={options} />
    </Frame>
  )
}

applyLook(options)
loadNames()
document.title = `${name} overlay · Telemetry`
render(shown(), document.getElementById("overlay")!)
