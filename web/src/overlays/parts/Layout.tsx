/** Several overlays in one source. The page that arranges them sends their places in a message, so that nothing is loaded again. */
import { useLayoutEffect, useState } from "preact/hooks"
import { channelsOf } from "../catalog.ts"
import { componentOf } from "../components.ts"
import { Frame } from "./Frame.tsx"
import { type LayoutItem, readItems } from "../layoutItems.ts"
import type { Options } from "../options.ts"

const isItems = (data: unknown): data is { readonly items: string } =>
  typeof data === "object" && data !== null && "items" in data && typeof data.items === "string"

const Placed = ({ item, options }: { item: LayoutItem; options: Options }) => {
  const Overlay = componentOf(item.name)
  return (
    <Frame
      place={{
        left: `${item.x}%`,
        top: `${item.y}%`,
        width: `${item.width}%`,
        height: `${item.height}%`
      }}
    >
      <Overlay options={options} />
    </Frame>
  )
}

export const Layout = ({ options, text }: { options: Options; text: string | null }) => {
  const [items, setItems] = useState(() => readItems(text))
  // Listens before the document counts as loaded, because the page then sends the first message.
  useLayoutEffect(() => {
    const reported = ({ data, origin }: MessageEvent<unknown>) => {
      if (origin === location.origin && isItems(data)) setItems(readItems(data.items))
    }
    window.addEventListener("message", reported)
    return () => window.removeEventListener("message", reported)
  }, [])
  // All request the same channels, so that they share a connection.
  const shared = { ...options, channels: channelsOf(items.map(({ name }) => name)) }
  return (
    <div class="layout">
      {text === null && items.length === 0 && window.parent === window && (
        <p class="layout-empty" role="status">
          This address has no overlays. Arrange some on the page "Overlays", and copy the address from there.
        </p>
      )}
      {items.map((item, k) => (
        <Placed key={`${k} ${item.name}`} item={item} options={shared} />
      ))}
    </div>
  )
}
