import { digestOfSkill } from './skill-digest.js'
import { skillChanges, skillRecord } from './skill-changes.js'
import { placeOf } from './skill-place.js'
import { standingOf } from './standing.js'
import type { Agreements } from './agreements.js'
import type { ConsentItem, ItemState } from './consent.js'
import type { Host, PromptCommand } from '@skills/core'
import type { SkillLimits } from './skill-parts.js'

/** Limits of a skill that can be agreed to. */
export const skillLimits: SkillLimits = { files: 10_000, bytes: 64 * 1024 * 1024 }

/**
 * Makes the consent item of a skill, with the digest of all its parts. Returns a sentence as `reason` if there is no
 * digest, and undefined for a skill that is not trusted by its folder or has no files.
 * @param text effect of the skill, in words for a person
 */
export async function skillItem(
  command: PromptCommand,
  text: string,
  host: Pick<Host, 'cwd'>,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ConsentItem | { readonly reason: string } | undefined> {
  const { filePath: path } = command
  // A distribution's own source may be trusted by folder. A plugin never is.
  const standing = standingOf(command, {})
  if (path === undefined || command.source === 'plugin' || (standing !== 'folder' && standing !== 'untrusted'))
    return undefined
  const place = placeOf(command, host)
  if (place?.content === undefined) return { reason: 'The skill does not exist any more.' }
  const found = await digestOfSkill(place.content, skillLimits, signal)
  return 'reason' in found
    ? found
    : {
        kind: 'skill',
        label: command.name,
        path,
        text,
        digest: found.digest,
        record: skillRecord(command, found.files),
      }
}

/** Compares a skill with the item that a person agreed to, and names the changes. */
export function stateOfSkill(
  command: PromptCommand,
  { digest, files }: { readonly digest: string; readonly files: ReadonlyMap<string, string> },
  agreements: Agreements,
): { readonly state: ItemState; readonly changes: readonly string[] } {
  const { name, filePath = '' } = command
  const item = { kind: 'skill', label: name, path: filePath, digest }
  const state = agreements.stateOf(item)
  const before = state === 'changed' ? agreements.recordOf(item) : undefined
  return { state, changes: before === undefined ? [] : skillChanges(before, skillRecord(command, files)) }
}
