import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import type { FileImport } from "../../../domain/FileImport.ts"
import * as Imports from "../../../operations/imports.ts"
import * as Uploads from "../../../operations/uploads.ts"
import { UPLOAD_OFFSET } from "../../problems.ts"
import type { Answer } from "../answers.ts"
import { del, get, patch, post, routes } from "../route.ts"

const locationOf = ({ id }: FileImport) => `/api/v1/imports/${id}`

const json = { "application/json": Imports.read.answer }
const LOCATION = { Location: "The path of the import" }
const OFFSET = { "Upload-Offset": "Bytes of the file that are here" }

const offsetOf = (found: FileImport) => ({ [UPLOAD_OFFSET]: String(found.received) })

/** An import that has begun, or the one of the same bytes. */
const taken: Answer<FileImport> = {
  described: [
    {
      status: 202,
      description: "The import: it waits to be read, or for the rest of its file",
      content: json,
      headers: { ...LOCATION, ...OFFSET }
    },
    {
      status: 200,
      description: "The import of the same bytes, or the one whose laps the file cut anew",
      content: json,
      headers: LOCATION
    }
  ],
  isStreamed: false,
  respond: (found) =>
    Effect.sync(() => {
      const isNew = found.state === "uploading" || found.state === "queued" || found.format === "motec-ldx"
      return HttpServerResponse.unsafeJson(Uploads.upload.encode(found), {
        status: isNew ? 202 : 200,
        headers: { location: locationOf(found), ...(isNew ? offsetOf(found) : {}) }
      })
    })
}

const goneOn: Answer<FileImport> = {
  described: [
    {
      status: 204,
      description:
        "The bytes are here. Location has the import, which is another one for the same bytes or laps that were cut anew",
      content: {},
      headers: { ...LOCATION, ...OFFSET }
    }
  ],
  isStreamed: false,
  respond: (found) =>
    Effect.sync(() =>
      HttpServerResponse.empty({
        status: 204,
        headers: { location: locationOf(found), ...offsetOf(found) }
      })
    )
}

/** HEAD of it says where an upload goes on. */
const withOffset: Answer<FileImport> = {
  described: [{ status: 200, content: json, headers: OFFSET }],
  isStreamed: false,
  respond: (found) =>
    Effect.sync(() => HttpServerResponse.unsafeJson(Imports.read.encode(found), { headers: offsetOf(found) }))
}

export const imports = routes("imports", {
  list: get("/imports", Imports.list, {
    summary: "List imports",
    description:
      "Lists the files that were imported, the newest first, each with what was read and stored of it."
  }),
  upload: post("/imports", Uploads.upload, {
    file: { field: "file" },
    summary: "Import a file",
    description:
      "Takes a file of another program, or a recording: the body is its bytes. The file is read when all of it is here; GET of the import, or its Location, says what became of it. The same bytes are imported once. With `of` an .ldx file cuts the laps of an imported MoTeC log anew; ids of laps that it moves change. An upload that breaks can go on if its `size` was given.",
    answer: taken
  }),
  read: get("/imports/:import_id", Imports.read, {
    summary: "Read an import",
    description:
      "Returns one import: its sessions, its counts, its warnings, and why a file was refused. HEAD says in Upload-Offset how much of the file is here.",
    answer: withOffset
  }),
  resume: patch("/imports/:import_id", Uploads.resume, {
    file: { field: "file", offset: "offset" },
    summary: "Go on with an upload",
    description:
      "Takes the bytes of a file from the position in the header Upload-Offset on, which must be the number of bytes that are here; the answer 409 has the right one. An upload that broke is kept for 24 hours.",
    answer: goneOn
  }),
  delete: del("/imports/:import_id", Imports.remove, {
    summary: "End or forget an import",
    description:
      "Ends an import that has not finished, and removes what it stored. Forgets one that has finished; its sessions stay."
  })
})
