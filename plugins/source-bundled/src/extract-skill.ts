import { cacheFolderOf } from '@skills/state'
import { entriesOf } from './file-entries.js'
import { extract } from './extract.js'
import { fingerprintOf } from './fingerprint.js'
import type { BundledFiles, BundledSkill } from './bundled-skill.js'
import type { SetupContext } from '@skills/core'

export interface ExtractSkillContext extends Pick<SetupContext, 'host' | 'report'> {
  readonly cacheDir: string | undefined
}

/**
 * Extracts the files of a skill unless they are already there. Returns the absolute path of the folder, with forward
 * slashes. Throws `E_STATE`, `E_FILE_CHANGED`.
 */
export async function extractSkill(
  { name }: Pick<BundledSkill, 'name'>,
  files: BundledFiles,
  { host, report, cacheDir }: ExtractSkillContext,
): Promise<string> {
  const who = `The skill "${name}"`
  const root =
    cacheDir === undefined
      ? `${cacheFolderOf(host)}/bundled`
      : (host.platform === 'win32' ? cacheDir.replaceAll('\\', '/') : cacheDir).replace(/(?<=.)\/+$/, '')
  const entries = await entriesOf(files, who)
  return extract({
    root,
    entries,
    fingerprint: fingerprintOf(entries),
    who,
    report,
    now: host.clock.now(),
    owner: host.platform === 'win32' ? undefined : host.uid,
  })
}
