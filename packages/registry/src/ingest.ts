import type { InstallContext, OfferedFiles } from '@skills/install/internal'
import { registryError } from './registry-error.js'
import { fullNameOf } from './new-version.js'
import type { NewVersion, Registry, SkillName } from './registry-types.js'

/** Most skills and bytes that are read before they are published in one transaction. */
const batch = { skills: 100, bytes: 16 * 1024 * 1024 }

export interface Publication {
  readonly namespace: string
  /** Names or paths of skills; none: all that the source brings. */
  readonly skills: readonly string[]
  /** Label of the published version. Refused if the source has more than one skill. */
  readonly label?: string | undefined
  readonly publisher?: string | undefined
}

/** Skills of a source that are in the registry now, and those that were refused. */
export interface Ingested {
  readonly published: readonly (SkillName & { readonly digest: string })[]
  /** Number of skills that the registry had already. */
  readonly unchanged: number
  readonly refused: readonly { readonly name: string; readonly path: string; readonly error: Error }[]
}

/**
 * Publishes the skills of a source, as `skills add` takes it, whose content is not the latest version yet. Runs no part
 * of a skill. One that is refused stops no other.
 * @throws SkillsError `E_INVALID_OPTION`, the errors of sources, and those of the registry as a whole
 */
export async function ingest(
  registry: Registry,
  source: string,
  { namespace, skills: names, label, publisher }: Publication,
  context: InstallContext,
): Promise<Ingested> {
  const { masked, powersOfFiles, readOffered } = await import('@skills/install/internal')
  const { signal, onProgress } = context
  const published: Ingested['published'][number][] = []
  const refused: Ingested['refused'][number][] = []
  let unchanged = 0
  await readOffered(source, names, context, async ({ skills, total, resolved }) => {
    if (label !== undefined && total > 1)
      throw registryError(
        'E_REGISTRY_SKILL',
        `${masked(source)} has ${total} skills, and a label is for one.`,
        'Name one: --skill.',
      )
    const provenance = { source: masked(source), resolved }
    const seen = new Map<string, string>()
    let [done, bytes] = [0, 0]
    let waiting: (NewVersion & Exclude<OfferedFiles, { readonly error: Error }>)[] = []
    const flush = async (): Promise<void> => {
      const known = await registry.digests(waiting)
      const changed = waiting.filter(({ digest }, at) => label !== undefined || digest !== known[at])
      unchanged += waiting.length - changed.length
      const powers = changed.length === 0 ? [] : await powersOfFiles(changed, { signal })
      const versions = changed.map((version, at) => ({ ...version, powers: powers[at] }))
      const results = versions.length === 0 ? [] : await registry.publish(versions, { signal })
      for (const [at, { namespace: owner, name, path, digest }] of changed.entries()) {
        let error: Error | undefined = results[at]?.error
        // A skill that is again as it was is that older version.
        if (label === undefined && error !== undefined && 'code' in error && error.code === 'E_REGISTRY_EXISTS')
          error = await registry.tag({ namespace: owner, name }, 'latest', digest).then(
            () => undefined,
            (reason: Error) => reason,
          )
        if (error === undefined) published.push({ namespace: owner, name, digest })
        else refused.push({ name, path, error })
      }
      waiting = []
      bytes = 0
    }
    for await (const skill of skills) {
      onProgress?.({ what: `Publishing ${masked(source)}`, done: done++, total, unit: 'skills' })
      const { name, path } = skill
      if ('error' in skill) {
        refused.push(skill)
        continue
      }
      const other = seen.get(name)
      if (other !== undefined) {
        const why = `${fullNameOf({ namespace, name })} is published from ${JSON.stringify(other)}, and not from ${JSON.stringify(path)}.`
        refused.push({ name, path, error: registryError('E_REGISTRY_NAME', why, 'Give one of them another name.') })
        continue
      }
      seen.set(name, path)
      waiting.push({ ...skill, namespace, label, publisher, provenance: { ...provenance, path } })
      bytes += skill.files.reduce((sum, file) => sum + file.bytes.length, 0)
      if (waiting.length === batch.skills || bytes > batch.bytes) await flush()
    }
    await flush()
    onProgress?.()
  })
  return { published, unchanged, refused }
}
