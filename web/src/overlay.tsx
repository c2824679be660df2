/** An overlay for a broadcast: which one the path says, how it looks the query. */
import { render } from "preact"
import { without } from "./base.ts"
import { channelsOf, type OverlayName } from "./overlays/catalog.ts"
import { components } from "./overlays/components.ts"
import { Frame } from "./overlays/Frame.tsx"
import { Layout } from "./overlays/Layout.tsx"
import { applyLook, readOptions } from "./overlays/options.ts"

const name = without(location.pathname).split("/")[2] ?? ""
const query = new URLSearchParams(location.search)
const options = readOptions(query, channelsOf([name]))
const Overlay = components[name as OverlayName]
applyLook(options)
document.title = `${name} overlay · Telemetry`
render(
  name === "layout" ? (
    <Layout options={options} text={query.get("items")} />
  ) : (
    <Frame>
      <Overlay options={options} />
    </Frame>
  ),
  document.getElementById("overlay")!
)
