import { LocalStore, readWholeFile } from '@skills/files'
import { realPathOf } from '@skills/files/internal'

/** File of a skill's folder, with its path inside. */
export interface FolderFile {
  readonly path: string
  readonly bytes: Buffer
}

/** Limits of SEP-2640 for a skill that is served as a whole. */
export const limits = { files: 512, bytes: 16 * 1024 * 1024 } as const

const store = new LocalStore()

/** Returns the entries of a folder that may be served. Hidden entries and links to folders are left out. */
export async function folderEntries(
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly files: readonly string[]; readonly folders: readonly string[] } | undefined> {
  const found = await store.list(folder, { signal })
  if (found === undefined) return undefined
  const isShown = (name: string): boolean => !name.startsWith('.')
  return {
    files: [...found.files, ...found.links].filter(isShown).sort(),
    folders: found.folders.filter(isShown).sort(),
  }
}

/**
 * Reads every file of a skill's folder.
 * @param isOther returns true if a folder inside belongs to another skill
 * @returns a sentence with the reason if the folder cannot be served as a skill
 */
export async function folderFiles(
  folder: string,
  isOther: (path: string) => boolean,
  signal: AbortSignal,
): Promise<readonly FolderFile[] | string> {
  const files: FolderFile[] = []
  const real = realPathOf(folder)
  let bytes = 0
  const open = ['']
  for (let within = open.pop(); within !== undefined; within = open.pop()) {
    const entries = await folderEntries(join(folder, within), signal)
    for (const name of entries?.files ?? []) {
      if (files.length === limits.files) return `it has more than ${limits.files} files`
      const path = join(within, name)
      const read = await readFolderFile(folder, path, signal, real)
      if (typeof read === 'string') return read
      // Deleted since it was listed, or a link to a folder.
      if (read === undefined) continue
      bytes += read.length
      if (bytes > limits.bytes) return `its files have more than ${limits.bytes} bytes`
      files.push({ path, bytes: read })
    }
    for (const name of entries?.folders ?? []) if (!isOther(join(within, name))) open.push(join(within, name))
  }
  return files
}

/** Reads one file of a skill. Links have to stay inside its folder. Returns a sentence if it must not be read. */
export async function readFolderFile(
  folder: string,
  path: string,
  signal: AbortSignal,
  real = realPathOf(folder),
): Promise<Buffer | string | undefined> {
  if (real === undefined) return undefined
  const file = await readWholeFile(join(folder, path), { within: [real], maxBytes: limits.bytes, signal })
  return file === undefined ? undefined : 'problem' in file ? `${path}: ${file.problem.message}` : file.bytes
}

function join(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`
}
