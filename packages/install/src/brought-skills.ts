import { createSkills, pathOf } from '@skills/core'
import {
  isJsonObject,
  isStandardManifest,
  localPlugins,
  marketplaceEntries,
  skillFoldersIn,
  standardManifest,
  type FolderNames,
} from '@skills/files/internal'
import { standard } from '@skills/distributions/standard'
import { hasManifest, sortFolders } from '@skills/inspect/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot, type Root } from '@skills/state/writer'
import { parsePlainJson } from './plain-json.js'
import { findSkills, type FoundSkill, type OpenedStore } from './skill-files.js'

/** Stands for a skill: only where it lies matters here. */
const placeholder = '---\ndescription: x\n---\nx\n'
const marketplaceFile = '.claude-plugin/marketplace.json'
const manifestFile = '.claude-plugin/plugin.json'
const largestManifest = 4 * 1024 * 1024

type Data = Readonly<Record<string, unknown>>

/** Skills that lie in a source. */
export interface BroughtSkills {
  /** Skills that people who take the source get: those that its manifests list, or else those of its skill folders. */
  readonly skills: readonly FoundSkill[]
  /** Other skills, such as drafts, fixtures of tests, copies for one agent, and skills for its maintainers. */
  readonly others: readonly FoundSkill[]
  /** Plugins of a marketplace that lie in other repositories or packages, by name. */
  readonly remote: readonly string[]
  /** Reason why its manifest brings none, as a sentence. Undefined if the manifest is sound, or is of another format. */
  readonly refusal?: string | undefined
}

/**
 * Finds the skills of a source, and which of them it brings. The source of plugins decides, as it does for
 * `--plugin-dir` and `--marketplace`: it reads the manifests, with a placeholder for each skill, in a temporary folder.
 * Without a manifest the layout decides.
 * @param entry entry of a plugin in its marketplace
 */
export async function broughtSkills(
  opened: OpenedStore,
  entry: Data | undefined,
  signal: AbortSignal,
): Promise<BroughtSkills> {
  const found = await findSkills(opened, signal)
  const [market, plugin, packed, root] = await Promise.all(
    [marketplaceFile, manifestFile, 'package.json', standardManifest].map(file => jsonIn(opened, file, signal)),
  )
  const hasOther =
    entry !== undefined ||
    market !== undefined ||
    plugin !== undefined ||
    (isJsonObject(packed?.data) && hasManifest(packed.data))
  const isStandard = root !== undefined && isStandardManifest(isJsonObject(root.data) ? root.data : undefined, hasOther)
  const isDescribed = hasOther || isStandard
  const paths = found.map(({ path }) => path)
  const listed = isDescribed ? await listedIn(opened, paths, { entry, market: market?.data, signal }) : undefined
  const remote =
    isJsonObject(market?.data) && entry === undefined
      ? marketplaceEntries(market.data).flatMap(({ name, source }) =>
          typeof name === 'string' && isJsonObject(source) ? [name] : [],
        )
      : []
  // A manifest that cannot be read says nothing. One without skills says that there are none, also if some lie beside it.
  const isSaid = entry !== undefined || remote.length > 0 || isStandard || listed?.isRead === true
  const brought = listed !== undefined && isSaid ? listed.paths : laidOut(paths)
  return {
    skills: found.filter(({ path }) => brought.has(path)),
    others: found.filter(({ path }) => !brought.has(path)),
    remote,
    ...(isStandard && listed?.refusal !== undefined && { refusal: listed.refusal }),
  }
}

/** Returns the folders of skills that the layout alone brings. Without any other, those of agents. */
function laidOut(paths: readonly string[]): ReadonlySet<string> {
  const folders = skillFoldersIn('', { names: namesOf(paths) })
  const isIn = (path: string): boolean =>
    path === '' ||
    folders.some(folder => `/${path}/`.startsWith(`${folder}/`) && !/\/\./.test(`/${path}`.slice(folder.length)))
  const brought = paths.filter(isIn)
  return new Set(brought.length > 0 ? brought : paths)
}

/** Returns the names of the folders that lead to skills, below an empty root. */
function namesOf(paths: readonly string[]): FolderNames {
  const folders = new Map<string, Set<string>>()
  for (const path of paths) {
    const parts = path.split('/')
    for (const [at, name] of parts.entries()) {
      const folder = parts
        .slice(0, at)
        .map(part => `/${part}`)
        .join('')
      folders.set(folder, (folders.get(folder) ?? new Set()).add(name))
    }
  }
  const skills = new Set(paths.map(path => (path === '' ? '' : `/${path}`)))
  return {
    has: folder => folders.has(folder),
    folders: folder => [...(folders.get(folder) ?? [])].filter(name => name !== '').sort(),
    isSkill: folder => skills.has(folder),
  }
}

/** Folders of skills that an engine loads, and the first error if it loads none. */
interface Listed {
  readonly paths: ReadonlySet<string>
  readonly refusal?: string | undefined
  /** True if the manifest of a plugin could be read. */
  readonly isRead: boolean
}

/** Returns the folders of the skills that an engine loads from a source with its manifests. */
async function listedIn(
  opened: OpenedStore,
  paths: readonly string[],
  {
    entry,
    market,
    signal,
  }: { readonly entry: Data | undefined; readonly market: unknown; readonly signal: AbortSignal },
): Promise<Listed> {
  const own = temporaryRoot('skills-listed-')
  try {
    const base = 'market/kit'
    let isOfStandard = false
    const copy = async (folder: string): Promise<void> => {
      for (const file of [marketplaceFile, manifestFile, 'package.json', standardManifest]) {
        const path = folder === '' ? file : `${folder}/${file}`
        const read = await jsonIn(opened, path, signal)
        if (read === undefined) continue
        if (file === standardManifest) isOfStandard = true
        write(own, `${base}/${path}`, read.bytes)
      }
    }
    const locals = entry === undefined && isJsonObject(market) ? localPlugins(market).map(({ path }) => path) : []
    for (const folder of new Set(['', ...locals])) await copy(folder)
    for (const path of paths) {
      const file = `${path && `${path}/`}SKILL.md`
      // The standard leaves out skills by what they say.
      const text = isOfStandard ? await textOf(opened, file, signal) : placeholder
      if (text !== undefined) write(own, `${base}/${file}`, text)
    }
    const folder = `${own.path}/${base}`
    if (entry === undefined) return await loadedFrom(own, folder, sortFolders([folder]), signal)
    const name = typeof entry['name'] === 'string' ? entry['name'] : 'kit'
    const wrapped = { name: 'market', owner: { name: 'x' }, plugins: [{ ...entry, name, source: './kit' }] }
    write(own, `market/${marketplaceFile}`, JSON.stringify(wrapped))
    return await loadedFrom(own, folder, { plugins: [], marketplaces: [`${own.path}/market`] }, signal)
  } finally {
    removeTemporary(own)
  }
}

async function loadedFrom(
  { path }: Root,
  base: string,
  { plugins, marketplaces }: ReturnType<typeof sortFolders>,
  signal: AbortSignal,
): Promise<Listed> {
  const skills = createSkills(
    standard({
      host: { cwd: path, home: path, env: {} },
      managed: { dirs: [] },
      // The placeholders have no problems, and those of the manifests are told where the plugin is checked.
      onDiagnostic: () => {},
      builtin: false,
      bundled: false,
      activation: false,
      published: {
        plugins: plugins.map(one => ({ path: one })),
        marketplaces: marketplaces.map(one => ({ path: one })),
      },
    }),
  )
  try {
    const { entries, collisions, errors, places } = await skills.catalog({ signal })
    // A skill that lost its name to another one is brought all the same.
    const commands = [...entries, ...collisions.map(({ loser }) => loser)].map(({ command }) => command)
    const found = new Set(
      commands.flatMap(command => {
        const file = pathOf(command).path
        return file?.startsWith(`${base}/`) === true && file.endsWith('SKILL.md')
          ? [file.slice(base.length + 1).replace(/\/?SKILL\.md$/, '')]
          : []
      }),
    )
    const isRead = places.some(({ provider, state }) => provider === 'plugin' && state === 'read')
    return { paths: found, isRead, ...(found.size === 0 && { refusal: errors[0]?.message }) }
  } finally {
    await skills.close()
  }
}

function write(own: Root, path: string, content: string | Uint8Array): void {
  own.makeFolder(path.slice(0, path.lastIndexOf('/')))
  own.create(path, content)
}

/** Reads the bytes of a skill file. Returns undefined if it is gone or too large. */
async function textOf({ store, root }: OpenedStore, file: string, signal: AbortSignal): Promise<Buffer | undefined> {
  const read = await store.read(`${root}/${file}`, { signal, maxBytes: largestManifest })
  return read?.found === 'file' ? Buffer.from(read.bytes.subarray(0, read.length)) : undefined
}

/** Reads a JSON file. Returns undefined if there is none; `data` is undefined if it cannot be read. */
async function jsonIn(
  { store, root }: OpenedStore,
  file: string,
  signal: AbortSignal,
): Promise<{ readonly bytes: Buffer; readonly data: unknown } | undefined> {
  const read = await store.read(`${root}/${file}`, { signal, maxBytes: largestManifest })
  if (read?.found !== 'file') return undefined
  const bytes = Buffer.from(read.bytes.subarray(0, read.length))
  try {
    return { bytes, data: parsePlainJson(bytes.toString('utf8')) }
  } catch (error) {
    // The engine that reads it says what is wrong with it, where the plugin is checked.
    if (!(error instanceof SyntaxError)) throw error
    return { bytes, data: undefined }
  }
}
