import { mostGivenFiles, type GivenFile } from '../src/api.js'

/** Folder that a person chose. */
export interface FolderChoice {
  readonly name: string
  readonly files: readonly GivenFile[]
}

interface Found {
  readonly path: string
  readonly read: () => Promise<File>
}

/** Most bytes of one file that are sent, and of all together: a request has 4 MiB, and Base64 takes a third more. */
const mostBytes = 1024 * 1024
const mostInAll = 2.5 * 1024 * 1024
/** Bytes of a file without an ending, which may be a link that git checked out as text. */
const mostOfLink = 1024

/** True if a file may be a skill, or be meant as one. The others are named, and not read. */
const isRead = (path: string): boolean => /(?:^|\/)(?:[^/]*\.(?:md|mdx|markdown)|skills?(?:\.\w+)*|[^/.]+)$/i.test(path)

/** Folders that no agent searches. */
const isSkipped = (name: string): boolean => name === '.git' || name === 'node_modules'

/** Returns the folder of an input. */
export function filesOfInput(chosen: FileList | null): Promise<FolderChoice> {
  const found = Array.from(chosen ?? [], file => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    read: async () => file,
  }))
  return choiceOf(found.filter(({ path }) => !path.split('/').some(isSkipped)))
}

/** Returns the folder, or the file, that was dropped. */
export async function filesOfDrop({ items }: DataTransfer): Promise<FolderChoice> {
  // The list of items is empty as soon as the event has ended.
  const entries = Array.from(items, item => item.webkitGetAsEntry())
  const found: Found[] = []
  for (const entry of entries) if (entry !== null) await walk(entry, found)
  return choiceOf(found)
}

async function walk(entry: FileSystemEntry, found: Found[]): Promise<void> {
  if (found.length > mostGivenFiles || isSkipped(entry.name)) return
  if (entry.isFile) {
    const file = entry as FileSystemFileEntry
    const read = (): Promise<File> => new Promise((resolve, reject) => file.file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), read })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A reader gives its entries in parts, the last of which is empty.
  for (;;) {
    const part = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return
    for (const one of part) await walk(one, found)
  }
}

async function choiceOf(found: readonly Found[]): Promise<FolderChoice> {
  const [first] = found
  if (first === undefined) throw new Error('This is no folder with files.')
  if (found.length > mostGivenFiles)
    throw new Error(
      `The folder has more than ${mostGivenFiles.toLocaleString('en')} files: choose the folder of the skill.`,
    )
  const files: GivenFile[] = []
  let left = mostInAll
  for (const { path, read } of found) {
    const file = isRead(path) ? await read() : undefined
    const most = /\.|^skills?$/i.test(path.slice(path.lastIndexOf('/') + 1)) ? mostBytes : mostOfLink
    const isSent = file !== undefined && file.size <= Math.min(most, left)
    if (isSent) left -= file.size
    files.push({ path, ...(isSent && { bytes: base64Of(new Uint8Array(await file.arrayBuffer())) }) })
  }
  return { name: first.path.split('/')[0] ?? first.path, files }
}

function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
