import { Root } from '@skills/state/writer'
import { bytesOfFile } from './bytes-of-file.js'
import { fullNameOf } from './new-version.js'
import { archiveOf, indexText, onlyFile, sha256, siteFolder, siteSkills, type SiteEntry } from './site.js'
import type { Registry, RegistryCall, RegistryPart } from './registry-types.js'

export interface Exported {
  /** Number of skills in the index. */
  readonly skills: number
  readonly refused: readonly { readonly name: string; readonly error: Error }[]
}

/**
 * Writes skills as a site that any web server can serve: an index of version 0.2 in `.well-known/agent-skills`, and a
 * file or an archive for each skill. The index is written last, so that a reader always finds what it names.
 * @param root folder of the site
 */
export async function exportSite(registry: Registry, root: Root, part: RegistryCall & RegistryPart): Promise<Exported> {
  const entries: SiteEntry[] = []
  const refused: Exported['refused'][number][] = []
  for await (const { version: found, error } of siteSkills(registry, part)) {
    if (error !== undefined) {
      refused.push({ name: fullNameOf(found), error })
      continue
    }
    // A skill that was removed since the page was read is in no site.
    const version = await registry.find(found, found.digest)
    if (version === undefined) continue
    const { name, description } = version
    const [file] = version.files
    const isPlain = file !== undefined && onlyFile(version) !== undefined
    const bytes = isPlain
      ? await bytesOfFile(digest => registry.file(digest), file, version)
      : await archiveOf(registry, version)
    const [type, path] = isPlain ? (['skill-md', 'SKILL.md'] as const) : (['archive', 'skill.tar.gz'] as const)
    root.write(`${siteFolder}/${name}/${path}`, bytes, { replaces: 'named' })
    entries.push({ name, type, description, url: `${encodeURIComponent(name)}/${path}`, digest: sha256(bytes) })
  }
  root.write(`${siteFolder}/index.json`, indexText(entries), { replaces: 'named' })
  return { skills: entries.length, refused }
}
