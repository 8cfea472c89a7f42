import { setImmediate as turn } from 'node:timers/promises'
import { messageOf, type Diagnostic, type Host } from '@skills/core'
import type { SkillTree } from '@skills/fs'
import { indexFolderOf } from './index-folder.js'
import { indexKey } from './index-key.js'
import { RootIndex } from './root-index.js'
import type { Layout, SkillRoot } from '../layout.js'
import type { SkillItem } from '../skill-entry.js'

/** The indexes of one source's roots. */
export class SourceIndex {
  /** The usual folder; undefined where there is none. */
  static folderOf = indexFolderOf
  readonly #folder: string
  readonly #host: Host
  readonly #report: (diagnostic: Omit<Diagnostic, 'provider'>) => void
  #writing: Promise<void> = Promise.resolve()
  /** What keeps one from being written keeps all, and nobody wants to hear of it twice. */
  #hasFailed = false

  constructor(folder: string, host: Host, report: (diagnostic: Omit<Diagnostic, 'provider'>) => void) {
    this.#folder = folder
    this.#host = host
    this.#report = report
  }

  /** The index of a root; undefined for one that cannot have any. */
  of(root: SkillRoot, layout: Layout): RootIndex | undefined {
    const key = indexKey(root, layout)
    const { uid, clock } = this.#host
    return key === undefined ? undefined : new RootIndex({ folder: this.#folder, key, owner: uid, now: clock.now })
  }

  /** Writes what changed, a root after the other, and after what is being written already. Never fails: what goes wrong is reported. */
  write(trees: readonly (readonly [RootIndex, SkillTree<SkillItem>])[]): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll(trees))
    return this.#writing
  }

  async #writeAll(trees: readonly (readonly [RootIndex, SkillTree<SkillItem>])[]): Promise<void> {
    for (const [index, tree] of trees) {
      if (this.#hasFailed) return
      try {
        await index.write(tree, turn)
      } catch (error) {
        this.#hasFailed = true
        this.#report({
          severity: 'warning', type: 'io', code: 'index-not-written', path: index.path,
          message: `What was read could not be kept at ${index.path}: ${messageOf(error)}. It is read again by the next process.`,
          hint: 'See that the folder is your own and can be written, name another one, or switch the index off.',
        })
      }
    }
  }
}
