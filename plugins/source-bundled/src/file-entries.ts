import { readdir, readFile, stat } from 'node:fs/promises'
import { compareCodeUnits, messageOf, SkillsError } from '@skills/core'
import type { BundledFiles } from './bundled-skill.js'

export interface FileEntry {
  /** Relative path with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Returns the files of a skill, sorted by path in code units. Throws `E_FILE_CHANGED` if a folder cannot be read, or if
 * the folder contains anything but files and folders, because the target of a link is not part of the skill.
 * @param owner beginning of messages, such as `The skill "deploy"`
 */
export async function entriesOf(files: BundledFiles, owner: string): Promise<readonly FileEntry[]> {
  const entries =
    typeof files === 'string'
      ? await read(files, owner)
      : Object.entries(files).map(([path, content]) => ({
          path,
          bytes: typeof content === 'string' ? Buffer.from(content) : content,
        }))
  return [...entries].sort((a, b) => compareCodeUnits(a.path, b.path))
}

async function read(folder: string, owner: string): Promise<readonly FileEntry[]> {
  try {
    // The folder itself may be a link, like that of an installed package.
    if (!(await stat(folder)).isDirectory()) throw unreadable(owner, `${folder} is not a folder`)
    return await below(folder, '', owner)
  } catch (error) {
    throw SkillsError.is(error) ? error : unreadable(owner, messageOf(error), error)
  }
}

async function below(root: string, path: string, owner: string): Promise<readonly FileEntry[]> {
  const entries: FileEntry[] = []
  for (const child of await readdir(`${root}/${path}`, { withFileTypes: true })) {
    const relative = path === '' ? child.name : `${path}/${child.name}`
    if (child.isDirectory()) entries.push(...(await below(root, relative, owner)))
    else if (child.isFile()) entries.push({ path: relative, bytes: await readFile(`${root}/${relative}`) })
    else throw unreadable(owner, `${root}/${relative} is neither a file nor a folder`)
  }
  return entries
}

function unreadable(owner: string, why: string, cause?: unknown): SkillsError {
  return new SkillsError('E_FILE_CHANGED', `${owner} has files that cannot be read: ${why}.`, {
    hint: 'Install the program again.',
    ...(cause !== undefined && { cause }),
  })
}
