import * as s from '@skills/core/schema'
import { isUtf8 } from 'node:buffer'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, SkillsError, systemClock } from '@skills/core'
import { runInGroup } from '@skills/process-group'
import { limitBrokenBy, longestTarget, quotedPath } from '../entry-name.js'
import { after, type StoreAnswer, type ReadCall, type StoreCall, type StoreFile } from '../store.js'
import { TreeStore, type TreeEntry } from '../tree-store.js'
import { gitCall, type GitCall } from './git-call.js'
import { ObjectReader } from './object-reader.js'
import { gitFolder } from './repository.js'

/** Names that `git check-ref-format` accepts, `HEAD` and ids: no expression, no option, no line end. */
const refName = /^(?!-|\/|@$)(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\0-\x20\x7f~^:?*[\\]+(?<![/.])$/

const gitStoreOptions = s.options('gitStore()', {
  /** Folder of a repository, bare or not, absolute. */
  repository: s.text().required(),
  /** Branch, tag or commit, but no expression such as `main~1`. Default: `HEAD`. */
  ref: s.text('the name of a branch or tag, or the id of a commit', ref => refName.test(ref)).default('HEAD'),
  /** Prefix of every entry's path. Default: the repository, `@` and the ref. */
  root: s.text(),
  /** Program to run. Default: `git`. */
  program: s.text().default('git'),
  /** Environment with the `PATH` for git, which gets nothing else of it. Default: the environment of the process. */
  env: s.typed<Readonly<Record<string, string | undefined>>>('an object'),
  /** Most entries of a commit. Default: 50,000. */
  maxEntries: s.number({ above: 0 }).default(50_000),
  /** Milliseconds in which git must answer. Default: 30,000. */
  timeoutMs: s.number({ above: 0 }).default(30_000),
})

export interface GitStoreOptions extends s.OptionsOf<typeof gitStoreOptions> {}

/** Entries after which the rest of the process gets a turn. */
const batch = 1000
/** Most bytes of an object that a ref leads to. */
const longestCommit = 1024 * 1024
/** Bytes of an entry's line: the most for one, and the average for all. */
const lineBytes = 1024
const lfs = 'version https://git-lfs.github.com/spec/v1\n'

/**
 * Store with the files of a commit, read from the repository's objects. Makes no checkout and runs nothing from the
 * repository. Calls reject with a SkillsError.
 */
export class GitStore extends TreeStore {
  readonly #repository: string
  readonly #options: {
    readonly ref: string
    readonly program: string
    readonly env: Readonly<Record<string, string | undefined>>
    readonly maxEntries: number
    readonly timeoutMs: number
  }
  #reader: ObjectReader | undefined
  #known: { readonly commit: string; readonly entries: ReadonlyMap<string, TreeEntry> } | undefined

  /** @throws SkillsError `E_INVALID_OPTION` */
  constructor(given: GitStoreOptions) {
    const { repository, ref, root, program, env = process.env, maxEntries, timeoutMs } = gitStoreOptions.read(given)
    super({
      id: 'git',
      root: root ?? `${repository.replaceAll('\\', '/')}@${ref}`,
      entries: call => this.#entries(call),
    })
    this.#repository = repository
    this.#options = { ref, program, env, maxEntries, timeoutMs }
  }

  /** Reads a file. A file that Git LFS keeps elsewhere is reported as a pointer. */
  override read(path: string, call: ReadCall): StoreAnswer<StoreFile | undefined> {
    return after(super.read(path, call), found =>
      found?.found === 'file' && found.bytes.toString('latin1', 0, lfs.length) === lfs
        ? { found: 'other', what: 'a pointer of Git LFS' }
        : found,
    )
  }

  /** Ends the git process. */
  async close(): Promise<void> {
    await this.#reader?.close()
  }

  async #entries(call: StoreCall): Promise<ReadonlyMap<string, TreeEntry> | undefined> {
    const folder = await gitFolder(this.#repository)
    if (folder === undefined) return undefined
    const git = gitCall(folder, this.#options)
    const reader = (this.#reader ??= new ObjectReader(git))
    const { ref } = this.#options
    const commit = await reader.read(`${ref}^{commit}`, longestCommit, call.signal)
    if (commit?.type !== 'commit')
      throw new SkillsError('E_GIT_REF', `${this.#repository} has no commit ${JSON.stringify(ref)}.`, {
        hint: 'Look at "git branch --all" and "git tag", or fetch the commit.',
      })
    if (this.#known?.commit !== commit.id)
      this.#known = { commit: commit.id, entries: await this.#entriesOf(commit.id, git, reader, call) }
    return this.#known.entries
  }

  async #entriesOf(
    commit: string,
    git: GitCall,
    reader: ObjectReader,
    { signal }: StoreCall,
  ): Promise<ReadonlyMap<string, TreeEntry>> {
    const lines = await this.#linesOf(commit, git, signal)
    const { maxEntries } = this.#options
    if (lines.length > maxEntries)
      throw new SkillsError('E_GIT_LIMIT', `${this.#repository} has more than ${maxEntries} entries in ${commit}.`, {
        hint: 'Allow more: "maxEntries".',
      })
    const entries = new Map<string, TreeEntry>()
    let done = 0
    for (const line of lines) {
      if (++done % batch === 0) {
        await turn()
        if (signal.aborted) throw abortError(signal)
      }
      const text = line.toString()
      const [, mode = '', id = '', length = '', path = ''] =
        /^(\d{6}) [a-z]+ ([0-9a-f]+) +(\d+|-|BAD)\t([^]+)$/.exec(text) ?? []
      const parts = path.split('/')
      if (
        id === '' ||
        parts.some(part => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git') ||
        entries.has(path)
      )
        throw new SkillsError(
          'E_GIT_UNSAFE',
          `${this.#repository} has an invalid entry in ${commit}: ${JSON.stringify(text.slice(0, 200))}.`,
          { hint: 'Nothing of this commit is read. Try "git fsck".' },
        )
      const broken = limitBrokenBy(path)
      if (broken !== undefined)
        throw new SkillsError(
          'E_GIT_LIMIT',
          `${this.#repository} has a path in ${commit} that ${broken}: ${quotedPath(path)}.`,
          { hint: 'Nothing of this commit is read. Give the file a shorter path.' },
        )
      entries.set(
        path,
        isUtf8(line) ? await entryOf(mode, id, Number(length)) : { other: 'an entry whose name is not UTF-8' },
      )
    }
    return entries

    async function entryOf(mode: string, id: string, size: number): Promise<TreeEntry> {
      if (mode === '160000') return { other: 'a submodule' }
      if (Number.isNaN(size)) return { other: 'a file that this partial clone lacks' }
      if (mode !== '120000')
        return {
          size,
          version: id,
          mode: Number.parseInt(mode, 8) & 0o777,
          read: async reading => (await blob(id, size, reading.signal)).bytes,
        }
      const link = size > longestTarget ? undefined : (await blob(id, size, signal)).bytes.toString()
      return link === undefined || limitBrokenBy(link) !== undefined
        ? { other: 'a link with too long a target' }
        : { link }
    }

    async function blob(id: string, size: number, asking: AbortSignal): ReturnType<typeof given> {
      return given(id, await reader.read(id, size, asking))
    }

    async function given(
      id: string,
      object: Awaited<ReturnType<ObjectReader['read']>>,
    ): Promise<NonNullable<typeof object>> {
      return (
        object ??
        Promise.reject(
          new SkillsError('E_GIT_FAILED', `The object ${id} of the commit ${commit} is missing.`, {
            hint: 'Try "git fsck" in the repository.',
          }),
        )
      )
    }
  }

  async #linesOf(
    commit: string,
    { program, args, env, timeoutMs }: GitCall,
    signal: AbortSignal,
  ): Promise<readonly Buffer[]> {
    const pieces: Buffer[] = []
    const { end, stderr } = await runInGroup(
      { program, args: [...args, 'ls-tree', '-r', '-z', '-l', '--full-tree', commit], env },
      {
        cwd: '/',
        clock: systemClock,
        signals: [signal],
        timeoutMs,
        maxOutputBytes: this.#options.maxEntries * lineBytes,
        graceMs: 500,
        onStdout: piece => void pieces.push(piece),
        keepsOfStderr: 500,
      },
    )
    if (signal.aborted) throw abortError(signal)
    if (end.by === 'overflow')
      throw new SkillsError(
        'E_GIT_LIMIT',
        `${this.#repository} has more than ${this.#options.maxEntries} entries in ${commit}.`,
        { hint: 'Allow more: "maxEntries".' },
      )
    if (end.by !== 'exit' || end.code !== 0)
      throw new SkillsError(
        'E_GIT_FAILED',
        `git ls-tree of ${this.#repository} failed: ${end.by === 'exit' ? stderr.trim() : end.by}.`,
        { hint: 'Try "git fsck" in the repository.' },
      )
    const all = Buffer.concat(pieces)
    const lines: Buffer[] = []
    for (let start = 0, next = all.indexOf(0); next >= 0; start = next + 1, next = all.indexOf(0, start))
      lines.push(all.subarray(start, next))
    return lines
  }
}

/** Makes a {@link GitStore}. */
export function gitStore(options: GitStoreOptions): GitStore {
  return new GitStore(options)
}
