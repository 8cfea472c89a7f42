import type { FoundFile, SavedTree } from '@skills/fs'
import { columns, type IndexContent } from './index-bytes.js'
import { FileSkill, partsOf } from '../file-skill.js'
import { fieldTexts, StoredFields } from './stored-fields.js'
import { SkillEntry, skillOf, type ReadContext, type SkillItem } from '../skill-entry.js'
import type { Diagnostic, FileIdentity } from '@skills/core'

/** What is kept of a skill file that is more than a sound skill, as JSON. */
interface StoredEntry {
  /** The text of its stamp, where it has one. It was settled. */
  readonly sidecar?: string | undefined
  readonly digest: number
  readonly problems: readonly Diagnostic[]
  /** Whether it gave a command all the same. */
  readonly isSound: boolean
}

/**
 * Whether what is known of a file may be kept for another process: not what the system refused at that moment, nor what was
 * read of files that were just being written.
 */
export function isLasting(item: SkillItem, file: FileIdentity): boolean {
  if (item instanceof FileSkill) return true
  const { isPending, sidecar, problems, file: { identity } } = item
  if (isPending || problems.some(({ type, code }) => type === 'io' || code === 'sidecar')) return false
  // Where the head was too short the file was read once more, and may have been another one by then.
  const isSame = identity.size === file.size && identity.ino === file.ino && identity.mtimeMs === file.mtimeMs && identity.ctimeMs === file.ctimeMs
  return isSame && sidecar?.isSettled !== false
}

/** Files whose texts are made between two turns of the rest of the process. */
const batch = 500

/** What of an index stands for the items of a tree. */
export async function storeItems({ items }: Pick<SavedTree<SkillItem>, 'items'>, turn: () => Promise<void>): Promise<Pick<IndexContent, 'figures' | 'texts'>> {
  const figures = new Uint32Array(items.length * columns)
  const texts: Buffer[] = []
  for (let from = 0; from < items.length; from += batch) {
    if (from > 0) await turn()
    let text = ''
    for (const [at, item] of items.slice(from, from + batch).entries()) {
      const row = (from + at) * columns
      const add = (column: number, added: string): void => {
        figures[row + column] = Buffer.byteLength(added)
        text += added
      }
      const skill = item instanceof FileSkill ? item : item.command
      if (skill !== undefined) {
        const { fields, fallback, bodyStart } = partsOf(skill)
        const { description, late, early } = fieldTexts(fields, skill.name)
        figures[row] = bodyStart
        add(1, fields.description === undefined ? fallback : description)
        add(2, late)
        add(3, early)
      }
      if (item instanceof SkillEntry) {
        const { sidecar, digest, problems } = item
        const entry: StoredEntry = { sidecar: sidecar?.text, digest, problems, isSound: skill !== undefined }
        add(4, JSON.stringify(entry))
      }
    }
    texts.push(Buffer.from(text))
  }
  return { figures, texts: Buffer.concat(texts) }
}

/** Gives the items of an index back, one after the other. */
export class StoredItems {
  readonly #content: IndexContent
  readonly #context: ReadContext
  #start = 0

  constructor(content: IndexContent, context: ReadContext) {
    this.#content = content
    this.#context = context
  }

  /** The item of the file with this number, each in its turn. */
  next(at: number, file: FoundFile): SkillItem {
    const { figures, texts } = this.#content
    const row = at * columns
    const start = this.#start
    const bodyStart = figures[row] ?? 0
    const lateStart = start + (figures[row + 1] ?? 0)
    const earlyStart = lateStart + (figures[row + 2] ?? 0)
    const entryStart = earlyStart + (figures[row + 3] ?? 0)
    const ofEntry = figures[row + 4] ?? 0
    this.#start = entryStart + ofEntry
    if (ofEntry === 0) return this.#skill(file, new StoredFields(texts, start, lateStart, earlyStart, entryStart), bodyStart)
    const { sidecar, digest, problems, isSound } = JSON.parse(texts.toString('utf8', entryStart, this.#start)) as StoredEntry
    const entry = new SkillEntry(file, this.#context, sidecar === undefined ? undefined : { text: sidecar, isSettled: true }, digest)
    entry.problems = problems
    if (isSound) entry.command = this.#skill(file, new StoredFields(texts, start, lateStart, earlyStart, entryStart), bodyStart)
    return entry
  }

  #skill(file: FoundFile, fields: StoredFields, bodyStart: number): FileSkill {
    return skillOf(file, fields, fields.hasDescription ? '' : fields.text, bodyStart, this.#context)
  }
}
