import { digestOfSkill } from './skill-digest.js'
import { skillChanges, skillRecord } from './skill-changes.js'
import { placeOf } from './skill-place.js'
import { standingOf } from './standing.js'
import type { Agreements } from './agreements.js'
import type { ConsentItem, ItemState } from './consent.js'
import type { Host, PromptCommand } from '@skills/core'
import type { TrustCall } from '@skills/invocation'
import type { SkillLimits } from './skill-parts.js'

/** Beyond them a skill cannot be agreed to. */
export const skillLimits: SkillLimits = { files: 10_000, bytes: 64 * 1024 * 1024 }

/**
 * A skill as an item of consent, with the digest of everything it is made of, or a sentence that says why there is
 * none. Undefined for one that is not trusted by its folder, or has no files.
 * @param text what it does, as a person is to read it
 */
export async function skillItem(
  command: PromptCommand,
  text: string,
  host: Pick<Host, 'cwd'>,
  { signal }: TrustCall,
): Promise<ConsentItem | { readonly reason: string } | undefined> {
  const { filePath: path } = command
  // A distribution's own source may go by the folder, and one of a plugin never does.
  const standing = standingOf(command, {})
  if (path === undefined || command.source === 'plugin' || (standing !== 'folder' && standing !== 'untrusted'))
    return undefined
  const place = placeOf(command, host)
  if (place?.content === undefined) return { reason: 'It is not there any more.' }
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

/** How a skill stands to what was agreed to, and what of one that changed is another. */
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
