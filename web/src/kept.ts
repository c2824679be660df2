/**
 * Values that this browser keeps between visits, and values that a tab keeps while it is open. If the browser denies storage (a
 * sandboxed frame, blocked site data), they last until the document is closed.
 */
const guarded = (storage: () => Storage) => {
  /** Values that could not be stored, for as long as the document is open. */
  const here = new Map<string, string>()
  return {
    get: (key: string): string | null => {
      try {
        return here.get(key) ?? storage().getItem(key)
      } catch {
        return null
      }
    },
    set: (key: string, value: string): void => {
      try {
        storage().setItem(key, value)
        here.delete(key)
      } catch {
        // Storage is denied or full.
        here.set(key, value)
      }
    }
  }
}

export const kept = guarded(() => localStorage)
export const keptInTab = guarded(() => sessionStorage)
