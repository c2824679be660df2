/** Takes files that are dropped on its content, or chosen by its buttons. */
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import { droppedFiles, isKnown } from "./files.ts"

type Take = (files: ReadonlyArray<File>) => void

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true

/** While files are over it, its frame shows that it takes them. */
export const DropArea = ({ children, take }: { children: ComponentChildren; take: Take }) => {
  const [over, setOver] = useState(false)
  return (
    <div
      class={over ? "stack drop over" : "stack drop"}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(false)
        void droppedFiles(event.dataTransfer!).then(take)
      }}
    >
      {children}
    </div>
  )
}

/** `folder`: chooses a folder, of which files with known endings are taken. */
const Choice = ({ folder = false, take, title }: { folder?: boolean; take: Take; title: string }) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" class={folder ? "" : "primary"} onClick={() => input.current?.click()}>
        {title}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={title}
        {...(folder ? { webkitdirectory: true } : {})}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same files may be chosen again.
          currentTarget.value = ""
          take(folder ? files.filter(isKnown) : files)
        }}
      />
    </>
  )
}

export const FileChoices = ({ take }: { take: Take }) => (
  <div class="form">
    <Choice title="Choose files" take={take} />
    <Choice title="Choose a folder" folder take={take} />
  </div>
)
