import { compareCodeUnits, SkillsError } from '@skills/core'
import { isInside } from '@skills/files/internal'
import { SkillTree } from '@skills/files'
import { parseHead } from '@skills/skill-md'
import { foldedPath, isSkillName, problemOfName } from './file-name.js'
import { sha256 } from './content-cache.js'
import type { Store, StoreFile } from '@skills/store'

/** Open place with skills. */
export interface OpenedStore {
  readonly store: Store
  /** Path in the store where skills are searched. */
  readonly root: string
  /** Name for a skill at the root whose own text gives none. */
  readonly name: string
  /** Folder of the whole source, at or above the root. A link of a skill may lead to what is published in it. */
  readonly top: string
  /** True for a folder of this machine, whose hidden files may be a person's own, and no part of what is published. */
  readonly isLocal?: boolean
}

export interface FoundSkill {
  readonly name: string
  /** Path below the root; empty for the root itself. */
  readonly path: string
}

/** SHA-256 of a skill's file in 64 hexadecimal digits, followed by ` x` for a program. */
export type FileEntry = string

export interface SkillContent {
  /** Files by path, sorted by code unit. */
  readonly files: Readonly<Record<string, FileEntry>>
  /** Digest of all files, `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  readonly bytes: number
}

export interface SkillLimits {
  readonly files: number
  readonly bytes: number
}

export const usualLimits: SkillLimits = { files: 512, bytes: 16 * 1024 * 1024 }
/** Limits with `--allow-large`. */
export const largeLimits: SkillLimits = { files: 20_000, bytes: 256 * 1024 * 1024 }

/**
 * Finds the skills of a source, sorted by name. Searches hidden folders such as `.claude` too, but no folder below a
 * skill. The root is an exception: folders below a skill at the root are searched, because a repository of skills is
 * often a skill itself.
 */
export async function findSkills(
  { store, root, name }: Pick<OpenedStore, 'store' | 'root' | 'name'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly FoundSkill[]> {
  // A store that cannot be read throws its own reason here.
  await store.list(root, { signal })
  const own = await scanned({ store, root, mayBeSkill: true }, signal)
  const isRoot = own.some(one => one.path === '')
  const items = isRoot ? [...own, ...(await scanned({ store, root, mayBeSkill: false }, signal))] : own
  const found = await Promise.all(
    items.map(async one => (one.path === '' ? { ...one, name: (await nameIn(store, root, signal)) ?? name } : one)),
  )
  return found.toSorted((a, b) => compareCodeUnits(a.name, b.name) || compareCodeUnits(a.path, b.path))
}

/** @param from `mayBeSkill`: true if the root itself may be a skill, below which nothing is searched */
async function scanned(
  { store, root, mayBeSkill }: Pick<OpenedStore, 'store' | 'root'> & { readonly mayBeSkill: boolean },
  signal: AbortSignal,
): Promise<readonly FoundSkill[]> {
  const tree = new SkillTree<FoundSkill>({
    root,
    store,
    walk: 'deep',
    mayBeSkill,
    depth: 24,
    skipped: ['node_modules'],
    ignores: () => path => /(?:^|\/)\.git\/$/.test(path),
    now: Date.now,
    read: file => ({ name: file.name, path: file.folder === root ? '' : file.folder.slice(root.length + 1) }),
  })
  const { items, problems } = await tree.scan(signal)
  const failure = problems.find(({ severity, path }) => severity === 'error' && path === root)
  if (failure !== undefined) throw new SkillsError('E_INSTALL_NOT_FOUND', failure.message, { hint: failure.hint ?? '' })
  // What cannot be read as a skill, for example because its file is too large, is told of when it is to be installed.
  const unread = problems.flatMap(({ severity, path = '' }) => {
    const folder = path.replace(/\/SKILL\.md$/i, '')
    const isSkill = severity === 'error' && folder !== path && isInside(folder, root) && (mayBeSkill || folder !== root)
    return isSkill ? [{ name: folder.slice(folder.lastIndexOf('/') + 1), path: folder.slice(root.length + 1) }] : []
  })
  return unread.length === 0 ? items : [...items, ...unread]
}

/** Returns the name in a skill's file. */
async function nameIn(store: Store, folder: string, signal: AbortSignal): Promise<string | undefined> {
  const read = await store.read(`${folder}/SKILL.md`, { signal, maxBytes: 1024 * 1024 })
  if (read?.found !== 'file') return undefined
  const head = await parseHead(Buffer.from(read.bytes.subarray(0, read.length)), { whole: true })
  const name = !('needMore' in head) && head.ok ? head.data['name'] : undefined
  return typeof name === 'string' && isSkillName(name) ? name : undefined
}

/**
 * Reads every file of a skill and passes it to `keep`. A link to a file or folder of the same source is replaced by the
 * content of its target. Refuses, with the path, everything that cannot be installed: links out of the source, devices,
 * submodules, names that some system cannot use, two names that are the same on some disks, too many files or bytes.
 * @param top folder of the whole source; default: the skill's own
 * @param isLocal true if a link must not lead to hidden files outside of the skill, which may be a person's own
 * @param skips names in the skill's folder that are not part of the skill
 * @param endsAtSkills true if folders below the skill that have a `SKILL.md` are separate skills, and not part of this
 *   one
 */
export async function readSkill(
  store: Store,
  folder: string,
  {
    limits = usualLimits,
    top = folder,
    isLocal = false,
    skips = [],
    endsAtSkills = false,
    signal = new AbortController().signal,
    keep,
  }: {
    readonly limits?: SkillLimits | undefined
    readonly top?: string
    readonly isLocal?: boolean | undefined
    readonly skips?: readonly string[]
    readonly endsAtSkills?: boolean
    readonly signal?: AbortSignal | undefined
    readonly keep?: (bytes: Buffer) => Promise<string>
  },
): Promise<SkillContent> {
  const entries: [path: string, entry: FileEntry][] = []
  const seen = new Map<string, string>()
  const real = (await store.realPath?.(folder, { signal })) ?? folder
  const source = (await store.realPath?.(top, { signal })) ?? top
  let bytes = 0
  await look(folder, '', [real])
  if (!entries.some(([path]) => /^skill\.md$/i.test(path)))
    throw new SkillsError('E_INSTALL_NOT_FOUND', `${folder} has no SKILL.md.`, { hint: 'Name the folder of a skill.' })
  const files = sorted(Object.fromEntries(entries))
  return { files, digest: digestOf(files), bytes }

  /** @param through real paths of the folders that links have led into */
  async function look(at: string, below: string, through: readonly string[]): Promise<void> {
    const list = await store.list(at, { signal })
    if (list === undefined)
      throw new SkillsError('E_INSTALL_NOT_FOUND', `${at} does not exist.`, { hint: 'List the skills again.' })
    if (endsAtSkills && below !== '' && list.files.some(name => name === 'SKILL.md')) return
    const skipped = (name: string): boolean => below === '' && skips.includes(name)
    const hidden = [...list.files, ...list.links, ...list.folders].find(name => name.startsWith('.'))
    if (isLocal && through.length > 1 && hidden !== undefined)
      unsafe(`${below}${hidden}`, 'is hidden, in a folder to which a link of the skill leads')
    for (const { name, what } of list.others ?? []) unsafe(`${below}${name}`, `is ${what}, which cannot be installed`)
    for (const name of list.files.filter(one => !skipped(one))) await take(`${at}/${name}`, name, below)
    for (const name of list.links.filter(one => !skipped(one))) await follow(`${at}/${name}`, name, below, through)
    for (const name of list.folders.filter(one => !skipped(one))) {
      check(name, below, true)
      await look(`${at}/${name}`, `${below}${name}/`, through)
    }
  }

  async function follow(link: string, name: string, below: string, through: readonly string[]): Promise<void> {
    const path = `${below}${name}`
    const target = await store.realPath?.(link, { signal })
    if (target === undefined || !isInside(target, source) || /\/\.git(?:\/|$)/.test(target.slice(source.length)))
      return unsafe(path, 'is a link that leads out of its source')
    if (isLocal && isHiddenFrom(real, target)) unsafe(path, 'is a link to something hidden outside of the skill')
    if ((await store.list(target, { signal })) === undefined) return take(target, name, below, true)
    // A link to a folder around it has no end.
    if (through.some(one => isInside(one, target))) unsafe(path, 'is a link to a folder that contains the link')
    check(name, below, true)
    await look(target, `${path}/`, [...through, target])
  }

  async function take(from: string, name: string, below: string, isLink = false): Promise<void> {
    const path = `${below}${name}`
    check(name, below, false)
    if (entries.length >= limits.files) tooLarge(`more than ${limits.files} files`)
    const answer = store.read(from, { signal, maxBytes: limits.bytes - bytes, within: [source] })
    const read = await answer
    if (read?.found === 'too-large') tooLarge(`more than ${limits.bytes} bytes`)
    if (read?.found !== 'file' || !read.isWhole)
      unsafe(path, isLink ? 'is a link that does not lead to a file of the skill' : whatIs(read))
    // Bytes of an answer that was not a promise are lent.
    const own = read.bytes.subarray(0, read.length)
    const content = answer instanceof Promise ? own : Buffer.from(own)
    bytes += content.length
    if (bytes > limits.bytes) tooLarge(`more than ${limits.bytes} bytes`)
    const digest = keep === undefined ? sha256(content) : await keep(content)
    entries.push([path, `${digest}${((read.stats.mode ?? 0) & 0o100) === 0 ? '' : ' x'}`])
  }

  function check(name: string, below: string, isFolder: boolean): void {
    const path = `${below}${name}`
    const problem = problemOfName(name)
    if (problem !== undefined) unsafe(path, problem)
    const other = seen.get(foldedPath(path))
    if (other !== undefined)
      unsafe(path, `and ${JSON.stringify(other)} are one ${isFolder ? 'folder' : 'file'} on some disks`)
    seen.set(foldedPath(path), path)
  }

  function unsafe(path: string, why: string): never {
    throw new SkillsError('E_INSTALL_UNSAFE', `${folder} is not installed: ${JSON.stringify(path)} ${why}.`, {
      hint: 'Nothing of this skill was written. Tell its publisher.',
    })
  }

  function tooLarge(what: string): never {
    throw new SkillsError('E_INSTALL_LIMIT', `${folder} is not installed: it has ${what}.`, {
      hint: 'If you know why the skill is so large, allow it: --allow-large.',
    })
  }
}

/** Returns true if the way from a folder to a path leads into a hidden folder, or to a hidden file. */
function isHiddenFrom(folder: string, path: string): boolean {
  const own = folder.split('/')
  const names = path.split('/')
  const start = names.findIndex((name, at) => name !== own[at])
  return start >= 0 && start < own.length && names.slice(start).some(name => name.startsWith('.'))
}

function whatIs(read: StoreFile | undefined): string {
  if (read?.found === 'other') return `is ${read.what}`
  return read?.found === 'refused' ? read.problem.message : 'cannot be read whole'
}

/**
 * Returns a record's own value under a name from outside. Returns undefined for an inherited property such as
 * `constructor`.
 */
export function ownOf<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
}

/** Returns the digest of a skill, computed from the digests of its files. */
export function digestOf(files: Readonly<Record<string, FileEntry>>): string {
  const lines = sortedEntries(files).map(([path, entry]) => `${entry}  ${path}\n`)
  return `sha256:${sha256(lines.join(''))}`
}

/** Sorts entries by code unit of their keys. The result has no prototype, because a file may be named `constructor`. */
export function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.setPrototypeOf(Object.fromEntries(sortedEntries(record)), null) as Record<string, T>
}

function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).toSorted(([a], [b]) => compareCodeUnits(a, b))
}
