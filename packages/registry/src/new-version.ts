import { nameKey } from '@skills/core'
import { lookOf } from '@skills/core/internal'
import { commandOf } from '@skills/skill-md'
import { loadStems, searchTextOf, wholeName } from '@skills/invocation/internal'
import { indexEntry, type IndexEntry } from './index-entry.js'
import { registryError } from './registry-error.js'
import type { NewVersion, SkillName, VersionFile } from './registry-types.js'

/** Version that can be written. */
export interface CheckedVersion {
  readonly digest: string
  /** Digest of the file SKILL.md. */
  readonly main: string
  readonly description: string
  readonly files: readonly VersionFile[]
  readonly contents: ReadonlyMap<string, Uint8Array>
  readonly entry: IndexEntry
}

export const fullNameOf = ({ namespace, name }: SkillName): string => `${namespace}/${name}`

/**
 * Returns the name by which a database finds and orders a skill. The colon orders skills as a source names them, and is
 * in no name.
 */
export const keyOf = ({ namespace, name }: SkillName): string => nameKey(`${namespace}:${name}`)

/** Returns the form that two names share if people can mistake one for the other. */
export const lookOfName = ({ namespace, name }: SkillName): string => `${lookOf(namespace)}/${lookOf(name)}`

const namespaceForm = /^[a-z\d](?:[\w.-]*[a-z\d])?$/i
const labelForm = /^[\w.+-]{1,128}$/
export const tagForm = /^[a-z][\w.-]{0,63}$/i
const longestName = 255

/**
 * Checks a version and makes everything that is written of it.
 * @throws SkillsError `E_REGISTRY_NAME`, `E_REGISTRY_SKILL`, `E_REGISTRY_LIMIT`
 */
export async function checkedVersion(version: NewVersion): Promise<CheckedVersion> {
  const { namespace, name, files, label } = version
  const { digestOf, foldedPath, isSkillName, problemOfName, sha256, usualLimits } =
    await import('@skills/install/internal')
  if (!namespaceForm.test(namespace) || !isSkillName(namespace))
    throw registryError(
      'E_REGISTRY_NAME',
      `${JSON.stringify(namespace)} cannot be a namespace.`,
      'Use letters, digits, "-", "_" and ".".',
    )
  if (!isSkillName(name) || Buffer.byteLength(fullNameOf(version)) > longestName)
    throw registryError(
      'E_REGISTRY_NAME',
      `${JSON.stringify(name)} cannot be the name of a skill.`,
      'Choose a name that every system can use for a folder.',
    )
  const unfit = (why: string, hint: string): never => {
    throw registryError('E_REGISTRY_SKILL', `${fullNameOf(version)} is not published: ${why}.`, hint)
  }
  if (label !== undefined && !labelForm.test(label))
    unfit(`its label is ${JSON.stringify(label)}`, 'Use a version such as 1.2.0.')
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  if (files.length > usualLimits.files || bytes > usualLimits.bytes)
    throw registryError(
      'E_REGISTRY_LIMIT',
      `${fullNameOf(version)} is not published: it has ${files.length} files and ${bytes} bytes.`,
      `A skill may have ${usualLimits.files} files and ${usualLimits.bytes} bytes.`,
    )
  const contents = new Map<string, Uint8Array>()
  const folded = new Set<string>()
  const listed: VersionFile[] = []
  const entries: Record<string, string> = Object.create(null)
  for (const { path, bytes: content, isExecutable = false } of files) {
    const problem = path
      .split('/')
      .map(problemOfName)
      .find(one => one !== undefined)
    if (problem !== undefined) unfit(`the path ${JSON.stringify(path)} ${problem}`, 'Rename the file.')
    if (folded.size === folded.add(foldedPath(path)).size)
      unfit(`${JSON.stringify(path)} and another file are one file on some disks`, 'Rename one of them.')
    const digest = sha256(content)
    contents.set(digest, content)
    entries[path] = `${digest}${isExecutable ? ' x' : ''}`
    listed.push({ path, digest, isExecutable, bytes: content.length })
  }
  const main = listed.find(({ path }) => path === 'SKILL.md') ?? listed.find(({ path }) => /^skill\.md$/i.test(path))
  if (main === undefined) return unfit('it has no SKILL.md', 'Add the file SKILL.md.')
  const text = contents.get(main.digest) ?? Buffer.alloc(0)
  const { command, diagnostics } = await commandOf(text, { name, source: 'registry', isLocal: false })
  if (command === undefined)
    return unfit(diagnostics[0]?.message.replace(/\.$/, '') ?? 'it is no skill', 'Run: skills lint')
  const body = await command.load('', { signal: new AbortController().signal })
  const entry = indexEntry(
    { ...searchTextOf(command, name), body: 'template' in body ? body.template : '' },
    await loadStems(),
  )
  return {
    digest: digestOf(entries),
    main: main.digest,
    description: command.description,
    files: listed,
    contents,
    entry: { ...entry, names: [...entry.names, ...[fullNameOf(version), keyOf(version)].map(wholeName)] },
  }
}
