import { createHash } from 'node:crypto'
import { packedFiles } from '@skills/store/internal'
import { Root } from '@skills/state/writer'
import { bytesOfFile } from './bytes-of-file.js'
import { fullNameOf } from './new-version.js'
import { registryError } from './registry-error.js'
import type { Registry, RegistryCall, RegistryPart, SkillVersion } from './registry-types.js'

/** Place of an index where agents look for it. */
const folder = '.well-known/agent-skills'
const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const pageSize = 200

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
export async function exportSite(
  registry: Registry,
  root: Root,
  { signal, prefix, tag }: RegistryCall & RegistryPart,
): Promise<Exported> {
  const entries: object[] = []
  const refused: Exported['refused'][number][] = []
  const taken = new Map<string, string>()
  let after: string | undefined
  do {
    const page = await registry.page({ limit: pageSize, after, prefix, tag, signal })
    for (const version of page.versions) {
      const { name, description } = version
      const look = name.toLowerCase()
      const other = taken.get(look)
      if (other !== undefined) {
        const error = registryError(
          'E_REGISTRY_NAME',
          `${fullNameOf(version)} is not exported: a site has each name once, and ${other} has it.`,
          'Export one namespace: --namespace.',
        )
        refused.push({ name: fullNameOf(version), error })
        continue
      }
      taken.set(look, fullNameOf(version))
      const { type, file, bytes } = await artifactOf(registry, version)
      const digest = createHash('sha256').update(bytes).digest('hex')
      const place = `${encodeURIComponent(name)}/${file}`
      root.write(`${folder}/${name}/${file}`, bytes, { replaces: 'named' })
      entries.push({ name, type, description, url: place, digest: `sha256:${digest}` })
    }
    after = page.next
  } while (after !== undefined)
  root.write(`${folder}/index.json`, `${JSON.stringify({ $schema: schema, skills: entries }, undefined, 1)}\n`, {
    replaces: 'named',
  })
  return { skills: entries.length, refused }
}

/** Returns the only file of a skill, or an archive of all. */
async function artifactOf(registry: Registry, version: SkillVersion) {
  const fileOf: Registry['file'] = digest => registry.file(digest)
  const files = await Promise.all(
    version.files.map(async file => ({ ...file, bytes: await bytesOfFile(fileOf, file, version) })),
  )
  const [first, ...others] = files
  if (first?.path === 'SKILL.md' && others.length === 0 && !first.isExecutable)
    return { type: 'skill-md', file: 'SKILL.md', bytes: first.bytes }
  return { type: 'archive', file: 'skill.tar.gz', bytes: await packedFiles(files) }
}
