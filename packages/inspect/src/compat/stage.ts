import { mkdirSync, realpathSync } from 'node:fs'
import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { slashes, type FileReads } from '@skills/files'
import { TreeStore, type Answer, type TreeEntry } from '@skills/store'

/** A skill on the stage. */
export interface Staged {
  /** Of its file, below the stage: `project/.agents/skills/deploy/SKILL.md`. */
  readonly path: string
  readonly read: () => Answer<Uint8Array>
}

/**
 * A project and a home folder that have nothing but what is put on the stage. The folders themselves are real and stay
 * empty, since distributions ask the system where a project begins; the files in them are read from where they lie.
 */
export class Stage {
  /** Absolute. */
  readonly path: string
  readonly project: string
  readonly home: string
  /** In front of every store, since an agent on the stage reads nothing else. */
  readonly reads: FileReads = { over: () => this.#store }
  #store: TreeStore

  private constructor(path: string) {
    this.path = path
    this.project = `${path}/project`
    this.home = `${path}/home`
    // A repository ends here, and with it the search upwards.
    mkdirSync(`${this.project}/.git`, { recursive: true })
    mkdirSync(this.home)
    this.#store = storeOf(path, new Map())
  }

  static async open(): Promise<Stage> {
    return new Stage(slashes(realpathSync(await mkdtemp(`${tmpdir()}/skills-compat-`))))
  }

  /** Puts these skills on the stage in place of all others, for engines that are made from now on. */
  set(skills: readonly Staged[]): void {
    this.#store = storeOf(this.path, new Map(skills.map(({ path, read }) => [path, { version: '1', read }] as const)))
  }

  close(): Promise<void> {
    return rm(this.path, { recursive: true, force: true })
  }
}

function storeOf(root: string, entries: ReadonlyMap<string, TreeEntry>): TreeStore {
  return new TreeStore({ root, id: 'stage', entries: () => entries })
}
