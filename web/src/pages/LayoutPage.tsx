/**
 * Arranges several overlays in one picture by dragging or with the arrow keys, while they are live. Both the page's address and
 * the address to copy have the whole layout, so either of them can be shared.
 */
import { useEffect, useRef, useState } from "preact/hooks"
import { overlayNamed, overlays, type Size } from "../overlays/catalog.ts"
import { type LayoutItem, MAX_ITEMS, placed, readItems, writeItems } from "../overlays/layoutItems.ts"
import { go, place, withQuery } from "../router.ts"
import { CopyAddress } from "./overlays/CopyAddress.tsx"
import { addressOf } from "./overlays/look.ts"
import { LookForm } from "./overlays/LookForm.tsx"

type Shape = "16x9" | "9x16"

const sizes: Readonly<Record<Shape, Size>> = { "16x9": [1920, 1080], "9x16": [1080, 1920] }

/** The layouts before the user arranges anything. */
const usual: Readonly<Record<Shape, string>> = {
  "16x9":
    "timer,2,3,24,17;delta,35.5,3,29,12;map,77,3,21,30;sectors,2,83,29,13;gauges,73,73,25,23.5;revs,35.5,87,29,9",
  "9x16": "timer,5,3,60,13;map,5,17,50,30;delta,8,66,84,9;gauges,28,76,44,22"
}

const shapeOf = (): Shape => (place.value.query.get("shape") === "9x16" ? "9x16" : "16x9")

const itemsOf = (): ReadonlyArray<LayoutItem> => readItems(place.value.query.get("items") ?? usual[shapeOf()])

const keep = (items: ReadonlyArray<LayoutItem>) =>
  go(withQuery({ items: writeItems(items) || "none" }), "replace")

/** Step of an arrow key, in percent of the picture; with Shift the key changes the size. */
const STEP = 0.5

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP]
}

/** The item moved, or with `sized` enlarged, by these percents of the picture. */
const shifted = (item: LayoutItem, across: number, down: number, sized: boolean): LayoutItem =>
  placed(
    sized
      ? {
          ...item,
          // Not beyond the edge, because `placed` would then move the item back.
          width: Math.min(item.width + across, 100 - item.x),
          height: Math.min(item.height + down, 100 - item.y)
        }
      : { ...item, x: item.x + across, y: item.y + down }
  )

const Handle = ({
  item,
  change,
  done,
  remove
}: {
  item: LayoutItem
  change: (item: LayoutItem) => void
  done: () => void
  remove: () => void
}) => {
  const from = useRef<{ x: number; y: number; item: LayoutItem; sized: boolean }>(undefined)
  const title = overlayNamed(item.name)!.title
  const grab = (event: PointerEvent) => {
    const target = event.target as HTMLElement
    if (target.closest("button") !== null) return
    ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    from.current = { x: event.clientX, y: event.clientY, item, sized: target.matches(".corner") }
  }
  const drag = (event: PointerEvent) => {
    const start = from.current
    const picture = (event.currentTarget as HTMLElement).parentElement
    if (start === undefined || picture === null) return
    const across = (100 * (event.clientX - start.x)) / picture.clientWidth
    const down = (100 * (event.clientY - start.y)) / picture.clientHeight
    change(shifted(start.item, across, down, start.sized))
  }
  const drop = () => {
    if (from.current === undefined) return
    from.current = undefined
    done()
  }
  const press = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (event.key === "Delete") remove()
    else if (arrow !== undefined) {
      event.preventDefault()
      change(shifted(item, arrow[0], arrow[1], event.shiftKey))
      done()
    }
  }
  return (
    <div
      class="handle"
      role="group"
      tabIndex={0}
      aria-label={`${title}: arrow keys move it, with Shift they resize it, Delete removes it`}
      style={{
        left: `${item.x}%`,
        top: `${item.y}%`,
        width: `${item.width}%`,
        height: `${item.height}%`
      }}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={drop}
      onKeyDown={press}
    >
      <span class="handle-name">{title}</span>
      <button type="button" class="handle-remove" aria-label={`Remove ${title}`} onClick={remove}>
        ✕
      </button>
      <i class="corner" />
    </div>
  )
}

export const LayoutPage = () => {
  const shape = shapeOf()
  const [items, setItems] = useState(itemsOf)
  const frame = useRef<HTMLIFrameElement>(null)
  const text = writeItems(items)
  const newest = useRef(items)
  newest.current = items
  // The shape of the picture, or the address of this page, has changed.
  const wanted = place.value.query.get("items")
  useEffect(() => setItems(itemsOf()), [wanted, shape])
  const sendItems = () => frame.current?.contentWindow?.postMessage({ items: text }, location.origin)
  useEffect(sendItems, [text])
  const [width, height] = sizes[shape]
  const set = (next: ReadonlyArray<LayoutItem>) => {
    setItems(next)
    keep(next)
  }
  const move = (at: number, moved: LayoutItem) => {
    newest.current = newest.current.map((one, k) => (k === at ? moved : one))
    setItems(newest.current)
  }
  const add = (name: string) => {
    const overlay = overlayNamed(name)
    if (overlay === undefined) return
    const [across, down] = shape === "16x9" ? overlay.wide : overlay.tall
    set([
      ...items,
      placed({
        name,
        x: 38,
        y: 40,
        width: (100 * across) / width,
        height: (100 * down) / height
      })
    ])
  }
  // The overlays get changes in a message, because a new address would load them again.
  const shown = addressOf("layout")
  return (
    <div class="stack">
      <div class="page-head">
        <h1>Arrange overlays</h1>
        <span class="muted">
          Drag an overlay to move it, or its corner to resize it. The address has the whole layout: one source
          in OBS, {width} × {height}.
        </span>
      </div>
      <LookForm />
      <section class="panel stack">
        <div class="form">
          <label class="field">
            Picture
            <select
              value={shape}
              onChange={(event) =>
                go(withQuery({ shape: event.currentTarget.value, items: undefined }), "replace")
              }
            >
              <option value="16x9">16:9</option>
              <option value="9x16">9:16</option>
            </select>
          </label>
          <label class="field">
            Add
            <select
              value=""
              disabled={items.length >= MAX_ITEMS}
              onChange={(event) => {
                add(event.currentTarget.value)
                event.currentTarget.value = ""
              }}
            >
              <option value="">an overlay …</option>
              {overlays.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => set([])}>
            Clear
          </button>
          <a class="button" href="/overlays">
            One by one
          </a>
        </div>
        <CopyAddress address={addressOf("layout", { items: text })} of="the layout" />
        <div
          class={`checkered arranged ${shape === "9x16" ? "portrait" : ""}`}
          style={{ "aspect-ratio": `${width} / ${height}` }}
        >
          <iframe key={shown} src={shown} title="The layout, live" ref={frame} onLoad={sendItems} />
          <div class="handles">
            {items.map((item, k) => (
              <Handle
                key={`${k} ${item.name}`}
                item={item}
                change={(moved) => move(k, moved)}
                done={() => keep(newest.current)}
                remove={() => set(items.filter((_, at) => at !== k))}
              />
            ))}
          </div>
        </div>
      </section>
    </div>
  )
}
