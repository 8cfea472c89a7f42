import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import type { FileReads } from '@skills/files/internal'
import type { SharedReading } from '@skills/skill-md/internal'
import { TreeStore, type StoreAnswer, type TreeEntry } from '@skills/store'

/** Skill on the stage. */
export interface Staged {
  /** Path of its file below the stage, such as `project/.agents/skills/deploy/SKILL.md`. */
  readonly path: string
  readonly read: () => StoreAnswer<Uint8Array>
}

/**
 * Project and home folder that contain only the skills put on the stage. The folders are real and stay empty, because
 * distributions ask the system where a project begins. Reads of files in these folders go to the files in their present
 * places.
 */
export class Stage {
  /** Absolute paths. */
  readonly path: string
  readonly project: string
  readonly home: string
  /** Reads that replace every store, because an agent on the stage reads nothing else. */
  readonly reads: FileReads
  #store: TreeStore

  /** Writes to the folders of the stage. */
  readonly root: Root

  /** @param shared results of reading the files in their present places */
  constructor(shared: SharedReading) {
    this.reads = { over: () => this.#store, shared }
    this.root = temporaryRoot('skills-compat-')
    const { path } = this.root
    this.path = path
    this.project = `${path}/project`
    this.home = `${path}/home`
    // The repository ends here, and with it the search upward.
    for (const folder of ['project/.git', 'home']) this.root.makeFolder(folder)
    this.#store = storeOf(path, new Map())
  }

  /** Replaces all skills on the stage, for engines that are made from now on. */
  set(skills: readonly Staged[]): void {
    this.#store = storeOf(this.path, new Map(skills.map(({ path, read }) => [path, { version: '1', read }] as const)))
  }

  close(): void {
    removeTemporary(this.root)
  }
}

function storeOf(root: string, entries: ReadonlyMap<string, TreeEntry>): TreeStore {
  return new TreeStore({ root, id: 'stage', entries: () => entries })
}
