/** A modal dialog of the browser, which keeps the focus inside and gives it back. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"

export const Dialog = ({
  open,
  title,
  close,
  children
}: {
  open: boolean
  title: string
  close: () => void
  children: ComponentChildren
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} aria-label={title} onClose={close}>
      {open && (
        <>
          <h2>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  )
}
