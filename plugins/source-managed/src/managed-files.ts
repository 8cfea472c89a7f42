import { isDeepStrictEqual } from 'node:util'
import { loadResult, type Command, type Diagnostic, type Host, type LoadResult, type Note, type Place, type Provider, type Source, type SourceCall } from '@skills/core'
import { plainFolder } from '@skills/fs'
import { fileSource, rootsIn, type Layout, type SkillRoots } from '@skills/skill-files'
import { exposureOf, ownershipOn, type Ownership } from './exposure.js'
import { managedDirs } from './managed-dirs.js'
import type { ManagedSourceOptions } from './index.js'
import type { PolicyReader } from './policy-reader.js'

/**
 * The managed skills: those that nobody but an administrator can have put there, for they are trusted. What is wrong with
 * a policy stands among their problems, since a gate has no place in a catalog.
 */
export function managedFiles({ dirs, folders, owner, layout }: ManagedSourceOptions, readerFor: (host: Host) => PolicyReader): Provider<'source'> {
  const files = fileSource({
    id: 'managed', source: 'managed', layout,
    async roots(host) {
      const found = rootsOf(dirs ?? managedDirs(host.platform), folders, ownershipOn(host.platform, owner), layout)
      const { policies = [] } = await readerFor(host).current() ?? {}
      return { ...found, diagnostics: [...found.diagnostics ?? [], ...policies.flatMap(({ problems }) => problems)] }
    },
  })
  return { ...files, setup: async ctx => new GuardedSource(await files.setup(ctx), ownershipOn(ctx.host.platform, owner), readerFor(ctx.host)) }
}

function rootsOf(dirs: readonly string[], folders: ManagedSourceOptions['folders'], ownership: Ownership, layout: Layout | undefined): SkillRoots {
  const open = new Map<string, Diagnostic>()
  const skipped: Place[] = []
  const roots = dirs.map(plainFolder).flatMap(dir => rootsIn(folders ?? ['.claude'], folder => `${dir}/${folder}`, { layout }).flatMap(given => {
    const root = { ...given, path: plainFolder(given.path) }
    const problem = openProblem([dir, ...between(dir, root.path)], ownership, 'nothing in it is loaded')
    if (problem === undefined) return root
    open.set(problem.path, problem)
    skipped.push({ path: root.path, state: 'skipped', found: 0, note: 'Others than an administrator may write to it.' })
    return []
  }))
  return { roots, skipped, diagnostics: [...open.values()] }
}

/** The paths below `folder` that lead to `path`, which is the last of them, and the only one when it is elsewhere. */
function between(folder: string, path: string): readonly string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  if (!path.startsWith(prefix)) return [path]
  const steps = path.slice(prefix.length).split('/')
  return steps.map((_step, at) => prefix + steps.slice(0, at + 1).join('/'))
}

/** The error of the first path of a way that others may change. */
function openProblem(way: readonly string[], ownership: Ownership, so: string): Diagnostic & { readonly path: string } | undefined {
  for (const path of way) {
    const exposure = exposureOf(path, ownership)
    if (exposure !== undefined) return {
      severity: 'error', type: 'validation', code: 'open-to-others', path,
      message: `${path} ${exposure}, and managed skills are trusted, so ${so}.`,
      hint: 'Have an administrator run "chown root" and "chmod go-w" on it.',
    }
  }
  return undefined
}

/** A file source without the skills that others may change although the folders above them are sound. */
class GuardedSource implements Source {
  readonly source = 'managed'
  readonly #files: Source
  readonly #ownership: Ownership
  readonly #policies: PolicyReader
  #found: LoadResult = loadResult({})
  /** What was refused in the last result, by the command. */
  #refused: ReadonlyMap<Command, Diagnostic> = new Map()

  constructor(files: Source, ownership: Ownership, policies: PolicyReader) {
    this.#files = files
    this.#ownership = ownership
    this.#policies = policies
  }

  async list(call: SourceCall): Promise<LoadResult> {
    this.#found = await this.#files.list(call)
    this.#refused = this.#refuse()
    return this.#result()
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    const found = await this.#files.refresh?.(paths, call)
    this.#found = found ?? this.#found
    // Rights change without the file.
    const refused = this.#refuse()
    if (found === undefined && isDeepStrictEqual([...refused.values()], [...this.#refused.values()])) return undefined
    this.#refused = refused
    return this.#result()
  }

  watched(): readonly string[] {
    return [...this.#policies.paths, ...this.#files.watched?.() ?? []]
  }

  async explain(name: string, command: Command | undefined, call: { readonly signal: AbortSignal }): Promise<readonly Note[]> {
    return await this.#files.explain?.(name, command, call) ?? []
  }

  #refuse(): ReadonlyMap<Command, Diagnostic> {
    const roots = this.#found.places.filter(({ state }) => state === 'read').map(({ path }) => path)
    const refused = new Map<Command, Diagnostic>()
    for (const command of this.#found.commands) {
      const path = command.type === 'prompt' ? command.filePath : undefined
      const root = path === undefined ? undefined : roots.find(one => path.startsWith(`${one}/`))
      if (path === undefined || root === undefined) continue
      const problem = openProblem(between(root, path), this.#ownership, `the skill "${command.name}" is not loaded`)
      if (problem !== undefined) refused.set(command, { ...problem, name: command.name })
    }
    return refused
  }

  #result(): LoadResult {
    if (this.#refused.size === 0) return this.#found
    const { commands, errors, warnings, disabledPaths, places } = this.#found
    const refusedIn = (place: Place): number => [...this.#refused.keys()]
      .filter(command => command.type === 'prompt' && command.filePath?.startsWith(`${place.path}/`) === true).length
    return loadResult({
      commands: commands.filter(command => !this.#refused.has(command)),
      errors: [...errors, ...this.#refused.values()],
      warnings, disabledPaths,
      places: places.map(place => ({ ...place, found: place.found - refusedIn(place) })),
    })
  }
}
