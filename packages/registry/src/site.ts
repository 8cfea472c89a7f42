import { createHash } from 'node:crypto'
import { packedFiles } from '@skills/store/internal'
import { bytesOfFile } from './bytes-of-file.js'
import { fullNameOf } from './new-version.js'
import { registryError } from './registry-error.js'
import type { Registry, RegistryCall, RegistryPart, SkillVersion } from './registry-types.js'

/** Place of an index where agents look for it. */
export const siteFolder = '.well-known/agent-skills'
const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'
const pageSize = 200

/** File as which a site has a skill: its only file, or an archive of all. */
export interface Artifact {
  readonly type: 'skill-md' | 'archive'
  /** SHA-256 of the file in 64 hexadecimal digits. */
  readonly digest: string
}

/** Entry of an index of version 0.2. */
export interface SiteEntry extends Artifact {
  readonly name: string
  readonly description: string
  /** URL of the file, relative to that of the index. */
  readonly url: string
}

/** Skill that a site has, or why it is left out. */
export interface SiteSkill {
  /** Without its text and files. */
  readonly version: SkillVersion
  readonly error?: Error | undefined
}

/** Returns the skills of a site by namespace and name. A site has each name once; the first skill has it. */
export async function* siteSkills(registry: Registry, part: RegistryCall & RegistryPart): AsyncGenerator<SiteSkill> {
  const taken = new Map<string, string>()
  let after: string | undefined
  do {
    const page = await registry.page({ ...part, limit: pageSize, after, isBrief: true })
    for (const version of page.versions) {
      const look = version.name.toLowerCase()
      const other = taken.get(look)
      if (other === undefined) {
        taken.set(look, fullNameOf(version))
        yield { version }
        continue
      }
      const error = registryError(
        'E_REGISTRY_NAME',
        `${fullNameOf(version)} is not exported: a site has each name once, and ${other} has it.`,
        'Export one namespace: --namespace.',
      )
      yield { version, error }
    }
    after = page.next
  } while (after !== undefined)
}

export function indexText(entries: readonly SiteEntry[]): string {
  const skills = entries.map(entry => ({ ...entry, digest: `sha256:${entry.digest}` }))
  return `${JSON.stringify({ $schema: schema, skills }, undefined, 1)}\n`
}

/** Returns the digest of the only file of a skill, if a site has that file in place of an archive. */
export function onlyFile({ files }: Pick<SkillVersion, 'files'>): string | undefined {
  const [first, ...others] = files
  return first?.path === 'SKILL.md' && others.length === 0 && !first.isExecutable ? first.digest : undefined
}

/** Packs the files of a version. The same files give the same bytes. */
export async function archiveOf(registry: Registry, version: SkillVersion): Promise<Buffer> {
  const fileOf: Registry['file'] = digest => registry.file(digest)
  const files = await Promise.all(
    version.files.map(async file => ({ ...file, bytes: await bytesOfFile(fileOf, file, version) })),
  )
  return packedFiles(files)
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
