import { invalidSkill, type FileSkill, type ReadFile } from './file-skill.js'
import { readSkill, SkillEntry, type ReadContext } from './skill-entry.js'
import type { FoundFile } from '@skills/fs'

/**
 * The skill that the bytes of a file make, with what the file beside it says now: nothing of it is as it was listed.
 * Throws `E_INVALID_SKILL` where they make none.
 * @param file with the name that the skill is listed by
 */
export async function rereadSkill(file: FoundFile, { bytes, stats }: ReadFile, context: ReadContext, signal: AbortSignal): Promise<FileSkill> {
  const head = { found: 'file', bytes, length: bytes.length, isWhole: true, stats } as const
  // What others have read of the file beside it may be older.
  const item = readSkill(file, head, { ...context, catalogStore: context.store })
  if (!(item instanceof SkillEntry)) return item ?? fail(file)
  await item.settle(signal)
  return item.command ?? fail(file, item.problems)
}

function fail({ name, path }: FoundFile, problems: SkillEntry['problems'] = []): never {
  throw invalidSkill(name, path, problems)
}
