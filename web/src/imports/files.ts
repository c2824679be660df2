/** The files that a user chose or dropped, also those of folders. */

import { ENDINGS } from "./endings.ts"

export const isKnown = ({ name }: File): boolean =>
  ENDINGS.some((ending) => name.toLowerCase().endsWith(ending))

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))

/** The browser gives the entries of a folder in pieces. */
const entriesOf = async (folder: FileSystemDirectoryEntry): Promise<ReadonlyArray<FileSystemEntry>> => {
  const reader = folder.createReader()
  const entries: Array<FileSystemEntry> = []
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    )
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

const within = async (entry: FileSystemEntry): Promise<ReadonlyArray<File>> => {
  if (entry.isFile) return [await fileOf(entry as FileSystemFileEntry)].filter(isKnown)
  const all = await entriesOf(entry as FileSystemDirectoryEntry)
  return (await Promise.all(all.map(within))).flat()
}

/** A dropped file is taken whatever its name is. To be called in the event, whose data is gone later. */
export const droppedFiles = async ({ files, items }: DataTransfer): Promise<ReadonlyArray<File>> => {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (entries.length === 0) return [...files]
  const found = entries.map(async (entry) =>
    entry.isDirectory ? within(entry) : [await fileOf(entry as FileSystemFileEntry)]
  )
  return (await Promise.all(found)).flat()
}
