/**
 * What this browser keeps between visits, and what a tab keeps while it is open. Where the browser denies that (a frame in a
 * sandbox, blocked site data), it is kept until the document is closed.
 */
const guarded = (storage: () => Storage) => {
  /** What could not be kept, for as long as the document is open. */
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
        // Denied, or full.
        here.set(key, value)
      }
    }
  }
}

export const kept = guarded(() => localStorage)
export const keptInTab = guarded(() => sessionStorage)
