import { createSkills, type Diagnostic, type Host, type Skills, type Words } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { MemoryStore } from '@skills/store'
import { checkBytes, textCheckOptions } from './check-file.js'
import { isSkillFile } from './check-place.js'

/** File of a folder that is not on this disk, or whose place is not known. */
export interface FolderFile {
  /** Path from the folder, which is its first part. */
  readonly path: string
  /** Undefined if only the name is known. */
  readonly bytes?: Buffer | undefined
}

/** Skill of such a folder, or a file that was meant as one. */
export interface FolderSkill {
  readonly name: string
  readonly path: string
  /** True if a source over the folder loads it. */
  readonly isLoaded: boolean
  readonly problems: readonly Diagnostic[]
}

export interface GivenFolder {
  readonly skills: readonly FolderSkill[]
  /** Problems of the folder and of files that are no skill files. */
  readonly others: readonly Diagnostic[]
}

const root = 'given:'

/**
 * Looks at the files of a folder as a source does that finds them on a disk, and checks each skill file as `skills
 * lint` does. Reads nothing else and writes nothing.
 */
export async function lookAtFolder(
  files: readonly FolderFile[],
  { host, words, signal }: { readonly host: Host; readonly words?: Words | undefined; readonly signal: AbortSignal },
): Promise<GivenFolder> {
  const store = new MemoryStore(Object.fromEntries(files.map(({ path, bytes }) => [path, bytes ?? ''])), { root })
  const source = fileSource({
    id: 'given',
    source: 'project',
    store,
    roots: () => ({ roots: rootsOf(files.map(({ path }) => path)).map(path => ({ path })) }),
  })
  const skills = createSkills({ host, plugins: [source], onDiagnostic: () => {} })
  try {
    const catalog = await skills.catalog({ signal })
    const loaded = new Map<string | undefined, string>(
      catalog.entries.map(({ name, command }) => [command.type === 'prompt' ? command.filePath : undefined, name]),
    )
    const problems = [...catalog.errors, ...catalog.warnings]
    const found: FolderSkill[] = []
    for (const { path, bytes } of files) {
      const full = `${root}/${path}`
      const name = loaded.get(full)
      if (name === undefined && !isSkillFile(path)) continue
      const folder = path.split('/').at(-2) ?? path
      const own = problems.filter(one => one.path === full)
      const options = textCheckOptions.read({ fields: { words } })
      const checked = bytes === undefined ? own : (await checkBytes(full, bytes, options)).diagnostics
      const isKnown = checked.some(({ severity }) => severity === 'error') || name !== undefined
      const notes = isKnown ? [] : (await skills.explain(folder, { signal })).notes
      found.push({
        name: name ?? folder,
        path,
        isLoaded: name !== undefined,
        problems: [
          ...new Map([...own, ...checked].map(one => [`${one.code} ${one.line ?? ''}`, one])).values(),
          ...notes.map(({ text }) => ({ ...noSkill, path: full, message: text })),
        ].map(shown),
      })
    }
    const notes = found.length === 0 && problems.length === 0 ? await absencesIn(files, skills, signal) : []
    const inSkills = new Set(found.map(({ path }) => `${root}/${path}`))
    const others = problems.filter(({ path }) => !inSkills.has(path ?? ''))
    return { skills: found, others: [...others, ...notes].map(shown) }
  } finally {
    await skills.close()
  }
}

/** Most folders without a skill that are explained. */
const mostExplained = 20

/** Explains, where there is no skill at all, what keeps each folder from being one. */
async function absencesIn(
  files: readonly FolderFile[],
  skills: Skills,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const names = new Set(
    files.flatMap(({ path }) => (path.includes('/') ? (path.split('/').at(-2) ?? []) : path.replace(/\.\w+$/, ''))),
  )
  const notes: Diagnostic[] = []
  for (const name of [...names].slice(0, mostExplained))
    for (const { text, path } of (await skills.explain(name, { signal })).notes)
      notes.push({ ...noSkill, ...(path !== undefined && { path }), message: text })
  return notes
}

const noSkill = { severity: 'warning', type: 'validation', code: 'no-skill-in-folder' } as const

/** Writes paths as the person knows them. */
function shown(one: Diagnostic): Diagnostic {
  const plain = (text: string): string => text.replaceAll(`${root}/`, '').replaceAll(root, 'this folder')
  return {
    ...one,
    message: plain(one.message),
    ...(one.hint !== undefined && { hint: plain(one.hint) }),
    ...(one.path !== undefined && { path: plain(one.path) }),
  }
}

/**
 * Returns the folders in which skills are searched: those of agents, such as `.claude/skills`, otherwise the folders
 * called `skills`, otherwise the given folder, or what it lies in if it is a skill itself.
 */
function rootsOf(paths: readonly string[]): readonly string[] {
  const ending = (pattern: RegExp): readonly string[] => [
    ...new Set(paths.flatMap(path => pattern.exec(path)?.[0].replace(/\/$/, '') ?? [])),
  ]
  const ofAgents = ending(/^(?:.*?\/)?\.[^/]+\/skills?\//)
  const named = ofAgents.length > 0 ? ofAgents : ending(/^(?:.*?\/)?skills\//)
  const tops = new Set(paths.map(path => path.split('/')[0] ?? ''))
  const isSkill =
    paths.some(path => /^[^/]+\/skills?(?:\.\w+)*$/i.test(path)) || paths.some(path => !path.includes('/'))
  const own = isSkill ? [''] : [...tops]
  return (named.length > 0 ? named : own).map(path => (path === '' ? root : `${root}/${path}`))
}
