import * as Imports from "../../../operations/imports.ts"
import { get, routes } from "../route.ts"

export const imports = routes("imports", {
  list: get("/imports", Imports.list, {
    summary: "List imports",
    description:
      "Lists the files that were imported, the newest first, each with what was read and stored of it."
  }),
  read: get("/imports/:import_id", Imports.read, {
    summary: "Read an import",
    description: "Returns one import: its sessions, its counts, its warnings, and why a file was refused."
  })
})
