import { accessSync, chmodSync, constants, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { countFileReads } from './read-counter.js'
import { namedPipe } from './named-pipe.js'
import { tempTree, type TempTree } from '../temp-tree.js'
import type { SampleSkill, SkillStore } from '../contract/fixture.js'

export interface FileStoreOptions {
  /**
   * Folder that holds the folders of skills, relative to the temporary tree, with forward slashes. It is made with the
   * first skill.
   */
  readonly root: string
  /** Name of the file in each folder. Default `SKILL.md`. */
  readonly fileName?: string
  /** Invalid skill file, and the line of its mistake, from 1. Default: frontmatter that is never closed. */
  readonly broken?: { readonly text: string; readonly line?: number }
  /** Formats the file of a skill. Default: name and description as frontmatter, then the body. */
  readonly format?: (skill: SampleSkill) => string
}

/** Store of skill files in a temporary tree. */
export interface FileStore extends Required<Omit<SkillStore, 'stall' | 'putEndless'>>, Pick<SkillStore, 'putEndless'> {
  readonly tree: TempTree
}

/** Milliseconds before a reader of a named pipe is freed. */
const pipePatienceMs = 500

/**
 * Makes a store of skill files in a temporary tree. A contract fills the store, breaks files in it and counts its
 * reads. The caller disposes of its `tree`. See docs/reference/sources.md, "The contract of a source".
 */
export function fileStore({
  root,
  fileName = 'SKILL.md',
  broken = unclosed,
  format = plainFile,
}: FileStoreOptions): FileStore {
  const tree = tempTree({}, { under: fastFolder() })
  const folder = path.join(tree.path, root)
  const folderOf = (name: string): string => path.join(folder, name)
  let asides = 0
  const nextAside = (): string => path.join(tree.path, `.aside-${++asides}`)
  return {
    tree,
    put: skills =>
      tree.write(Object.fromEntries(skills.map(skill => [`${root}/${skill.name}/${fileName}`, format(skill)]))),
    remove: name => tree.remove(`${root}/${name}`),
    putBroken(name) {
      const { text, line } = broken
      tree.write({ [`${root}/${name}/${fileName}`]: text })
      return { path: `${tree.path}/${root}/${name}/${fileName}`, ...(line !== undefined && { line }) }
    },
    deny(name) {
      closeFolder(folderOf(name), nextAside())
    },
    shut() {
      return closeFolder(folder, nextAside())
    },
    countReads: () => countFileReads(folder),
    pathOf: name => `${tree.path}/${root}/${name}`,
    ...(process.platform !== 'win32' && {
      async putEndless(name: string) {
        tree.write({ [`${root}/${name}`]: { dir: true } })
        return namedPipe(path.join(folderOf(name), fileName), pipePatienceMs)
      },
    }),
  }
}

const unclosed = { text: '---\nname: broken\ndescription: This block is never closed.\n', line: 1 }

function plainFile({ name, description, body }: SampleSkill): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`
}

/**
 * Makes a folder unreadable and returns a function that opens it again. The superuser can read it in spite of its mode;
 * then a link that leads to itself, which no one can read, replaces the folder meanwhile.
 * @param aside path to which the folder is moved in that case
 */
function closeFolder(folder: string, aside: string): () => void {
  chmodSync(folder, 0)
  const open = (): void => chmodSync(folder, 0o755)
  if (!isReadable(folder)) return open
  renameSync(folder, aside)
  symlinkSync(path.basename(folder), folder)
  return () => {
    rmSync(folder)
    renameSync(aside, folder)
    open()
  }
}

/** Returns a folder in memory where the system has one. On a busy disk, making 2,000 files takes seconds. */
function fastFolder(): string {
  const inMemory = '/dev/shm'
  if (process.platform !== 'linux') return tmpdir()
  try {
    accessSync(inMemory, constants.W_OK)
    return inMemory
  } catch {
    // There is no such folder, or it may not be written to. A disk works too, only slower.
    return tmpdir()
  }
}

function isReadable(folder: string): boolean {
  try {
    readdirSync(folder)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')) return false
    throw error
  }
}
