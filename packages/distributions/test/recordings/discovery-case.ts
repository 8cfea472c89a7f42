import { realpathSync } from 'node:fs'
import { Invoker } from '@skills/invocation'
import { enginePort } from '@skills/invocation/skill-tool'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { openOver } from '../open-over.js'
import type { Compared } from './classes.js'
import type { DistributionOptions } from '../../src/index.js'

/** Case in the format of `discovery.json`. */
export interface DiscoveryCase {
  readonly id: string
  readonly cwd: string
  readonly git: readonly string[]
  readonly tree: Readonly<Record<string, TreeValue>>
  readonly env?: Readonly<Record<string, string>>
  readonly results: Readonly<Record<string, DiscoveryResult>>
}

type TreeValue =
  | string
  | { readonly base64: string }
  | { readonly symlink: string }
  | { readonly dir: true }
  | { readonly template: string }
  | { readonly head: string; readonly unit: string; readonly count: number; readonly tail: string }

export interface DiscoveryResult {
  readonly skills?: readonly RecordedSkill[]
  /** Number of skills, if only the first and the last are in `skills`. */
  readonly count?: number
  /** True if any of several skills with one name may be listed. */
  readonly winnerNotFixed?: boolean
  /** Lines of the prompt about them, if these were recorded. */
  readonly told?: readonly string[] | undefined
  readonly lines?: readonly string[]
  /** Set if the same files were in another folder. */
  readonly tree?: string
}

export interface RecordedSkill {
  readonly name: string
  readonly description?: string | null
  readonly descriptionLength?: number
  readonly path?: string
  readonly state?: string
  readonly hiddenFromPrompt?: boolean
}

/** Skill as our distribution lists it. */
interface FoundSkill {
  readonly name: string
  /** Name without a qualifier. */
  readonly ownName: string
  readonly description: string
  readonly path: string
  readonly realPath: string
  readonly isToldToModel: boolean
}

export interface Found {
  readonly root: string
  readonly skills: readonly FoundSkill[]
  /** Text that the model reads. */
  readonly listing: string
  readonly diagnostics: readonly string[]
}

/** Case in the format of later files: `@` is the folder of the program. */
export interface FoldersCase {
  readonly id: string
  readonly cwd?: string
  readonly files: Readonly<Record<string, string | { readonly base64: string } | { readonly link: string }>>
  readonly env?: Readonly<Record<string, string>>
  readonly results: Readonly<Record<string, { readonly list: readonly RecordedSkill[] }>>
}

/** Returns such a case for one program, with its folders, in the other format. */
export function caseFor(
  { id, cwd = 'project', files, env, results }: FoldersCase,
  program: string,
  folders: { readonly project: string; readonly home: string },
): DiscoveryCase {
  const placed = (path: string): string =>
    path
      .replace('@', path.startsWith('home/') || path.includes('/home/') ? folders.home : folders.project)
      .replace(/^project(?=\/|$)/, 'p')
      .replace(/^home(?=\/|$)/, 'h')
  const shown = results[program]?.list.map(skill => ({
    ...skill,
    ...(skill.path !== undefined && { path: placed(skill.path) }),
  }))
  return {
    id,
    cwd: placed(cwd),
    git: ['p'],
    ...(env && { env }),
    tree: Object.fromEntries(
      Object.entries(files).map(([path, value]) => {
        if (typeof value === 'string' || !('link' in value)) return [placed(path), value]
        const link = value.link.replace('@', value.link.includes('home/') ? folders.home : folders.project)
        return [
          placed(path),
          { symlink: link.replace(/(^|\/)home(?=\/)/, '$1h').replace(/(^|\/)project(?=\/)/, '$1p') },
        ]
      }),
    ),
    results: shown === undefined ? {} : { [program]: { skills: shown } },
  }
}

/** Runs a distribution over the tree of a case, with its own home folder and environment. */
export async function discover(
  one: DiscoveryCase,
  name: string,
  {
    moves,
    ...options
  }: Omit<Partial<DistributionOptions>, 'host'> & { readonly moves?: readonly [string, string] } = {},
): Promise<Found> {
  const moved = (path: string): string => (moves === undefined ? path : path.replace(moves[0], moves[1]))
  const tree = tempTree({
    'h/.keep': '',
    'p/.keep': '',
    ...Object.fromEntries(one.git.map(folder => [`${folder}/.git/HEAD`, ''])),
  })
  try {
    tree.write(Object.fromEntries(Object.entries(one.tree).map(([path, value]) => [moved(path), entryOf(value, tree)])))
    const { distribution, skills, diagnostics, found } = await openOver(tree, name, {
      cwd: one.cwd,
      home: 'h',
      ...(one.env && { env: one.env }),
      ...options,
    })
    try {
      const { errors, warnings } = await skills.catalog()
      const invoker = new Invoker(skills, { ...distribution.invoker, onAsk: () => 'allow' })
      const port = enginePort(skills, { ...distribution.port, invoker })
      const { text, entries: listed } = await port.listing({ contextWindow: 200_000 })
      return {
        root: tree.path,
        listing: text,
        diagnostics: [
          ...diagnostics.map(({ message }) => message),
          ...[...errors, ...warnings].map(({ path = '', message }) => `${path}: ${message}`),
        ],
        skills: (await found()).map(({ name: key, command, path }) => ({
          name: key,
          ownName: command.name,
          description: command.description,
          path,
          realPath: realpathSync(`${tree.path}/${path}`),
          isToldToModel: listed.some(entry => entry.name === key),
        })),
      }
    } finally {
      await skills.close()
    }
  } finally {
    resolved.set(tree.path, realPathsOf(one, tree))
    tree.dispose()
  }
}

/** Real paths of the paths in a recording, while the tree exists. */
const resolved = new Map<string, ReadonlyMap<string, string>>()

function realPathsOf({ results }: DiscoveryCase, tree: TempTree): ReadonlyMap<string, string> {
  const paths = Object.values(results).flatMap(({ skills = [] }) => skills.flatMap(({ path }) => path ?? []))
  return new Map(paths.map(path => [path, realOf(`${tree.path}/${path}`)]))
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function entryOf(value: TreeValue, tree: TempTree): TreeEntries[string] {
  if (typeof value === 'string') return value
  if ('base64' in value) return Buffer.from(value.base64, 'base64')
  if ('symlink' in value) return { link: value.symlink.replaceAll('@ROOT@', tree.path) }
  if ('template' in value) return value.template.replaceAll('@ROOT@', tree.path)
  if ('head' in value) return value.head + value.unit.repeat(value.count) + value.tail
  return { dir: true }
}

/** Compares the skills that a program lists with ours. */
export function compare(theirs: DiscoveryResult, found: Found): Compared {
  const { count } = theirs
  // A file that is listed in two places is one skill.
  const expected = (theirs.skills ?? []).filter(
    (skill, at, all) =>
      skill.path === undefined || all.findIndex(one => one.path === skill.path && one.name === skill.name) === at,
  )
  const ours = found.skills
  if (ours.length !== (count ?? expected.length))
    return differs(expected, found, `${ours.length} skills instead of ${count ?? expected.length}`)
  const left = [...ours]
  let isSame = expected.length === (theirs.skills ?? []).length
  for (const skill of expected) {
    const at = bestMatch(skill, left, found.root)
    const mine = left[at]
    if (mine === undefined) {
      if (theirs.winnerNotFixed !== true || !left.some(({ name }) => name === skill.name))
        return differs(expected, found, `no "${skill.name}"`)
      // Any skill of that name may be the listed one.
      left.splice(
        left.findIndex(({ name }) => name === skill.name),
        1,
      )
      isSame = false
      continue
    }
    left.splice(at, 1)
    const isHidden = skill.hiddenFromPrompt === true || skill.state === 'Disabled' || theirs.told?.length === 0
    if (isHidden === mine.isToldToModel && (isHidden || mine.description !== ''))
      return differs(expected, found, `"${skill.name}" ${isHidden ? 'is' : 'is not'} told to the model`)
    if (skill.description !== undefined && !areAlike(skill, mine))
      return differs(expected, found, `the description of "${skill.name}" is ${JSON.stringify(mine.description)}`)
    isSame &&=
      mine.name === skill.name &&
      (skill.path === undefined || skill.path === mine.path || `${skill.path}/SKILL.md` === mine.path) &&
      (skill.description === undefined || (skill.description ?? '') === mine.description.slice(0, 120))
  }
  return isSame ? 'same' : 'same effect'
}

/**
 * Finds the skill of the same file and name. Otherwise, one whose name differs in a qualifier only, or that the program
 * lists without a name.
 */
function bestMatch({ name, path }: RecordedSkill, ours: readonly FoundSkill[], root: string): number {
  const real = path === undefined ? undefined : resolved.get(root)?.get(path)
  const isOf = (one: FoundSkill): boolean =>
    real === undefined || one.realPath === real || one.realPath === `${real}/SKILL.md`
  const exact = ours.findIndex(one => isOf(one) && one.name === name)
  return exact >= 0 ? exact : ours.findIndex(one => isOf(one) && [plain(one.ownName), ''].includes(plain(name)))
}

/** Normalises white space, so that names which differ in it are the same. */
function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}

function areAlike({ description, descriptionLength }: RecordedSkill, mine: FoundSkill): boolean {
  const [theirs, ours] = [plain(description ?? ''), plain(mine.description)]
  return descriptionLength === undefined
    ? theirs === ours || (theirs.length >= 110 && ours.startsWith(theirs))
    : ours.length === descriptionLength && ours.startsWith(theirs.slice(0, 100))
}

function differs(expected: readonly RecordedSkill[], { skills, diagnostics }: Found, what: string): Compared {
  const theirs = expected.map(({ name, path = '' }) => `${name} (${path})`).join(', ')
  const ours = skills.map(({ name, path }) => `${name} (${path})`).join(', ')
  return { differs: `${what}; theirs: ${theirs || 'none'}; ours: ${ours || 'none'}; ${diagnostics.join(' | ')}` }
}
