import { isDeepStrictEqual } from 'node:util'
import {
  defineProvider,
  type Host,
  type Provider,
  type Command,
  type GateRules,
  loadResult,
  type Diagnostic,
  type LoadResult,
  type Note,
  type Place,
  type Source,
  type SourceCall,
} from '@skills/core'
import { plainFolder } from '@skills/files/internal'
import { fileSource, rootsIn, type Layout, type SkillRoots } from '@skills/files/source'
import { PolicyReader } from './policy-reader.js'
import { managedSourceOptions, type ManagedSourceOptions } from './options.js'
import { exposureBy, exposureOf, ownershipOn, type Ownership, managedDirs } from './managed-dirs.js'

const noRules: GateRules = {}

export { managedDirs, policyName } from './managed-dirs.js'

export type { ManagedSourceOptions } from './options.js'

/**
 * Makes the providers for the skills and the policy that an administrator sets for all users of a machine: the source
 * `managed` of skills, and the gate `managed-policy`, which applies `managed-settings.json`. See
 * docs/reference/managed.md, "Managed skills" and "Managed policy".
 */
export function managedSource(given?: ManagedSourceOptions): readonly [Provider<'source'>, Provider<'gate'>] {
  const options = managedSourceOptions.read(given)
  // The two providers of an engine share its host, and so one reader.
  const readers = new WeakMap<Host, PolicyReader>()
  const readerFor = (host: Host): PolicyReader => {
    const reader = readers.get(host) ?? new PolicyReader(options, host)
    readers.set(host, reader)
    return reader
  }
  return [managedFiles(options, readerFor), policyGate(readerFor)]
}

/** Makes the gate that applies the policies of the managed folders. See docs/reference/managed.md, "Managed policy". */
function policyGate(readerFor: (host: Host) => PolicyReader): Provider<'gate'> {
  return defineProvider({
    kind: 'gate',
    id: 'managed-policy',
    setup({ host }) {
      const current = async () => (await readerFor(host).current())?.rules
      return {
        rules: async () => (await current()) ?? noRules,
        forbids: async () => (await current())?.forbidsShell(),
        explain: async (name: string, command: Command | undefined) => (await current())?.notesOn(name, command) ?? [],
      }
    },
  })
}

/**
 * Makes the source of managed skills. It lists only those that no one but an administrator can change, because they are
 * trusted. Problems of a policy are reported here too, because a gate has no place in a catalog.
 */
function managedFiles(
  { dirs, folders, owner, layout, sharedReads }: ManagedSourceOptions,
  readerFor: (host: Host) => PolicyReader,
): Provider<'source'> {
  const files = fileSource({
    id: 'managed',
    source: 'managed',
    layout,
    sharedReads,
    // Uses the stats that were just read, because reading them again would be a large part of the work.
    refuse: ({ path, name }, stats, { platform }) =>
      openSkill(path, exposureBy(stats, ownershipOn(platform, owner)), name),
    async roots(host) {
      const found = rootsOf(dirs ?? managedDirs(host.platform), folders, ownershipOn(host.platform, owner), layout)
      const { policies = [] } = (await readerFor(host).current()) ?? {}
      return { ...found, diagnostics: [...(found.diagnostics ?? []), ...policies.flatMap(({ problems }) => problems)] }
    },
  })
  return {
    ...files,
    setup: async ctx =>
      new GuardedSource(await files.setup(ctx), ownershipOn(ctx.host.platform, owner), readerFor(ctx.host)),
  }
}

function rootsOf(
  dirs: readonly string[],
  folders: ManagedSourceOptions['folders'],
  ownership: Ownership,
  layout: Layout | undefined,
): SkillRoots {
  const open = new Map<string, Diagnostic>()
  const skipped: Place[] = []
  const roots = dirs.map(plainFolder).flatMap(dir =>
    rootsIn(folders ?? ['.claude'], folder => `${dir}/${folder}`, { layout }).flatMap(given => {
      const root = { ...given, path: plainFolder(given.path) }
      const found = [dir, ...between(dir, root.path)]
        .map(path => ({ path, exposure: exposureOf(path, ownership) }))
        .find(({ exposure }) => exposure !== undefined)
      if (found?.exposure === undefined) return root
      open.set(found.path, openProblem(found.path, found.exposure, 'nothing in it is loaded'))
      skipped.push({
        path: root.path,
        state: 'skipped',
        found: 0,
        note: 'Users other than an administrator may write to this folder.',
      })
      return []
    }),
  )
  return { roots, skipped, diagnostics: [...open.values()] }
}

/** Returns the paths from below `folder` to `path`. If `path` is not inside the folder, only `path`. */
function between(folder: string, path: string): readonly string[] {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  if (!path.startsWith(prefix)) return [path]
  const steps = path.slice(prefix.length).split('/')
  return steps.map((_step, at) => prefix + steps.slice(0, at + 1).join('/'))
}

/** Makes the error for a file that others may change. @param exposure who they are, as the end of a sentence */
function openProblem(path: string, exposure: string, so: string): Diagnostic {
  return {
    severity: 'error',
    type: 'validation',
    code: 'open-to-others',
    path,
    message: `${path} ${exposure}, and managed skills are trusted, so ${so}.`,
    hint: 'Have an administrator run "chown root" and "chmod go-w" on it.',
  }
}

/** Makes the error for a skill that is not loaded because of this. Undefined if others may change nothing. */
function openSkill(path: string, exposure: string | undefined, name: string): Diagnostic | undefined {
  return exposure === undefined
    ? undefined
    : { ...openProblem(path, exposure, `the skill "${name}" is not loaded`), name }
}

/** File source without the skills in whose folders others may write, even if the folder of all skills is safe. */
class GuardedSource implements Source {
  readonly source = 'managed'
  #found: LoadResult = loadResult({})
  /** Refusals of the last result, by command. */
  #refused: ReadonlyMap<Command, Diagnostic> = new Map()

  constructor(
    private readonly files: Source,
    private readonly ownership: Ownership,
    private readonly policies: PolicyReader,
  ) {}

  async list(call: SourceCall): Promise<LoadResult> {
    this.#found = await this.files.list(call)
    // Each file was checked when it was read, just now.
    this.#refused = this.#refuse('folders')
    return this.#result()
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    const found = await this.files.refresh?.(paths, call)
    this.#found = found ?? this.#found
    // Permissions can change without the file, also outside of the paths that were reported as changed.
    const refused = this.#refuse('folders and files')
    if (found === undefined && isDeepStrictEqual([...refused.values()], [...this.#refused.values()])) return undefined
    this.#refused = refused
    return this.#result()
  }

  watched(): readonly string[] {
    return [...this.policies.paths, ...(this.files.watched?.() ?? [])]
  }

  async explain(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): Promise<readonly Note[]> {
    return (await this.files.explain?.(name, command, call)) ?? []
  }

  #refuse(looksAt: 'folders' | 'folders and files'): ReadonlyMap<Command, Diagnostic> {
    const roots = this.#found.places.filter(({ state }) => state === 'read').map(({ path }) => `${path}/`)
    const refused = new Map<Command, Diagnostic>()
    const folders = new OpenFolders(this.ownership)
    const openFile = (path: string): OpenPath | undefined => {
      const exposure = looksAt === 'folders' ? undefined : exposureOf(path, this.ownership)
      return exposure === undefined ? undefined : { path, exposure }
    }
    let root: string | undefined
    for (const command of this.#found.commands) {
      const path = command.type === 'prompt' ? command.filePath : undefined
      if (path === undefined) continue
      // Consecutive files are nearly always below the same root.
      if (root === undefined || !path.startsWith(root)) root = roots.find(one => path.startsWith(one))
      const open = root === undefined ? undefined : (folders.firstBetween(root, path) ?? openFile(path))
      const problem = open === undefined ? undefined : openSkill(open.path, open.exposure, command.name)
      if (problem !== undefined) refused.set(command, problem)
    }
    return refused
  }

  #result(): LoadResult {
    if (this.#refused.size === 0) return this.#found
    const { commands, errors, warnings, disabledPaths, places } = this.#found
    const refusedIn = (place: Place): number =>
      [...this.#refused.keys()].filter(
        command => command.type === 'prompt' && command.filePath?.startsWith(`${place.path}/`) === true,
      ).length
    return loadResult({
      commands: commands.filter(command => !this.#refused.has(command)),
      errors: [...errors, ...this.#refused.values()],
      warnings,
      disabledPaths,
      places: places.map(place => ({ ...place, found: place.found - refusedIn(place) })),
    })
  }
}

/** Path that others may change, and who they are, as the end of a sentence. */
interface OpenPath {
  readonly path: string
  readonly exposure: string
}

/** Checks each folder once, even if it contains a hundred commands. */
class OpenFolders {
  /** Who may change each checked folder; false for no one. */
  readonly #known = new Map<string, string | false>()

  constructor(private readonly ownership: Ownership) {}

  /** Returns the outermost folder between a root (with a slash at its end) and a file that others may change. */
  firstBetween(root: string, path: string): OpenPath | undefined {
    for (let end = path.indexOf('/', root.length); end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end)
      const exposure = this.#exposureOf(folder)
      if (exposure !== undefined) return { path: folder, exposure }
    }
    return undefined
  }

  #exposureOf(folder: string): string | undefined {
    let exposure = this.#known.get(folder)
    if (exposure === undefined) this.#known.set(folder, (exposure = exposureOf(folder, this.ownership) ?? false))
    return exposure === false ? undefined : exposure
  }
}
