import { createHash } from 'node:crypto'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from '@skills/store'
import { isJsonObject, readJsonFile } from './json-file.js'
import { lstatOf, realPathOf, statOf } from './real-path.js'
import { readWholeFileSync } from './read-file.js'
import { slashes } from './slashes.js'

export interface NamedFilesPlace {
  /** Folder in which the program is started, absolute. */
  readonly cwd: string
  /** Folder that a person agrees to: a project's or a plugin's, absolute. */
  readonly top: string
}

/** Most looks at the disk; after that the files of a command line are not determined. */
const mostLooks = 20_000
const mostBytes = 64 * 1024 * 1024
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.json', '.py', '.sh', '.rb', '.cmd']
/** Files that programs run in a folder that they are given, besides `index` with an ending. */
const entries = ['package.json', 'deno.json', '__main__.py', '__init__.py']
const ofNpm = [
  'package.json',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  'pnpm-workspace.yaml',
  'bunfig.toml',
]
const ofMake = ['GNUmakefile', 'makefile', 'Makefile']
const ofPython = ['pyproject.toml', 'uv.toml', 'setup.cfg', 'tox.ini']
const ofDocker = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'Dockerfile', '.env']
/** Files that programs read in their working folder and whose content they run. */
const readBy: readonly (readonly [programs: readonly string[], files: readonly string[]])[] = [
  [['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'corepack', 'tsx', 'turbo', 'nx'], ofNpm],
  [['make', 'gmake'], ofMake],
  [['uv', 'uvx', 'poetry', 'pdm', 'hatch', 'tox', 'nox'], ofPython],
  [['docker', 'docker-compose', 'podman', 'podman-compose'], ofDocker],
  [['just'], ['justfile', 'Justfile', '.justfile']],
  [['deno'], ['deno.json', 'deno.jsonc', 'package.json']],
  [['cargo'], ['Cargo.toml', 'build.rs', '.cargo/config.toml', 'src/main.rs']],
  [['go'], ['go.mod', 'main.go']],
  [['rake'], ['Rakefile', 'Gemfile']],
  [['bundle'], ['Gemfile', '.bundle/config']],
  [['mise'], ['mise.toml', '.mise.toml']],
  [['direnv'], ['.envrc']],
]

/**
 * Returns the files of a project that a command line names, each with a digest of its bytes, as sorted lines. A person
 * agrees to these files along with the command. A word names a file in any of these ways:
 * - by its path from the program's working folder or from the top; an ending that programs add may be missing
 * - as a part of a word (`--import=./x`, `sh -c "./a; ./b"`)
 * - within a folder that another word names
 * - as a module of Python, or as a program of `node_modules`
 *
 * Files that these files import are not included. Returns undefined if there are too many words.
 * @param words the command, its arguments and the values of its environment
 */
export function namedFiles(words: readonly string[], place: NamedFilesPlace): readonly string[] | undefined {
  const search = new Search(place)
  const tokens = tokensOf(words)
  const { cwd, top } = place
  for (const token of tokens) {
    for (const base of new Set([cwd, top])) search.look(base, token)
    const program = basename(token).replace(/\.(?:cmd|exe|bat)$/i, '')
    for (const [programs, files] of readBy)
      if (programs.includes(program)) for (const file of files) search.add(join(cwd, file))
    for (const folder of upwards(cwd, top)) {
      search.look(`${folder}/node_modules/.bin`, token)
      search.look(`${folder}/node_modules`, token)
    }
  }
  // Only folders that words name. Folders found in them are not searched.
  const folders = [...search.folders]
  for (const folder of folders) for (const token of tokens) search.look(folder, token)
  return search.isOver
    ? undefined
    : [...search.found].map(([path, digest]) => `${shown(relative(top, path))} ${digest}`).toSorted()
}

class Search {
  /** Digests by path. */
  readonly found = new Map<string, string>()
  readonly folders = new Set<string>()
  readonly #looked = new Set<string>()
  readonly #top: string
  readonly #realTop: string

  constructor({ top }: NamedFilesPlace) {
    this.#top = slashes(top)
    this.#realTop = realPathOf(top) ?? this.#top
  }

  get isOver(): boolean {
    return this.#looked.size > mostLooks
  }

  /** Looks for every file that a word can mean in a folder. */
  look(folder: string, token: string): void {
    if (this.isOver) return
    // After a variable, as in `$ROOT/run.sh`, a path begins like an absolute one.
    const paths = isAbsolute(token) ? [resolve(token), join(folder, token)] : [resolve(folder, token)]
    if (/^\w+(?:\.\w+)+$/.test(token)) paths.push(join(folder, token.replaceAll('.', '/')))
    for (const path of paths) for (const end of endings) this.add(`${path}${end}`)
  }

  /** Adds a file of the project; of a folder, the files in it that programs run. */
  add(given: string): void {
    const path = slashes(given)
    if (this.#looked.has(path) || this.isOver || path.includes('\0')) return
    this.#looked.add(path)
    if (lstatOf(path) === undefined) return
    const real = realPathOf(path)
    // A broken link may lead to a file later.
    if (!isInside(path, this.#top) && (real === undefined || !isInside(real, this.#realTop))) return
    if (real === undefined) this.found.set(path, 'leads to nothing')
    else if (statOf(path)?.isDirectory() === true) this.#addFolder(path)
    else this.found.set(path, digestOf(path, real))
  }

  #addFolder(path: string): void {
    if (path !== this.#top) this.folders.add(path)
    for (const entry of entries) this.add(`${path}/${entry}`)
    for (const end of endings.slice(1)) this.add(`${path}/index${end}`)
    const file = `${path}/package.json`
    if (!this.found.has(file)) return
    const read = readJsonFile(file, { code: 'invalid-manifest', what: 'The file' })
    const { main, module, bin } = read !== undefined && 'data' in read && isJsonObject(read.data) ? read.data : {}
    const named = [main, module, ...(isJsonObject(bin) ? Object.values(bin) : [bin])]
    for (const one of named) if (typeof one === 'string') this.look(path, one)
  }
}

function digestOf(path: string, real: string): string {
  const read = readWholeFileSync(real, { maxBytes: mostBytes })
  const to = real === path ? '' : ` at ${shown(real)}`
  if (read !== undefined && 'bytes' in read) return `${createHash('sha256').update(read.bytes).digest('hex')}${to}`
  const stats = statOf(real)
  // A file that cannot be read whole is at least noticed when it is written to.
  return `cannot be read whole: ${stats?.size ?? 0} bytes of ${stats?.mtimeMs ?? 0}${to}`
}

const variable = /\$\{[^}]*\}|\$\w+|%\w+%/g
const between = /[\s:;,=|&()<>"'`$\\{}[\]]+/

/** Returns every part of the words that may name a file. */
function tokensOf(words: readonly string[]): readonly string[] {
  const tokens = new Set<string>()
  for (const word of words) {
    tokens.add(word)
    if (/^-\w./.test(word)) tokens.add(word.slice(2))
    for (const url of word.match(/file:\/\/[^\s"'`]+/g) ?? []) tokens.add(pathOfUrl(url))
    // A variable may stand for any folder, and the text in its braces may name a file too.
    for (const part of `${word} ${word.replaceAll(variable, ' ')}`.split(between)) tokens.add(part)
    if (tokens.size > mostLooks) break
  }
  return [...tokens].filter(token => token !== '')
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    // The URL names no file of this machine.
    return ''
  }
}

/** Returns a folder and those above it, up to the top. Returns none if the folder is outside the top. */
function* upwards(folder: string, top: string): Generator<string> {
  for (let at = resolve(folder); isInside(slashes(at), slashes(top)); at = dirname(at)) {
    yield at
    if (at === dirname(at)) return
  }
}

/** Quotes a path with characters that would break the line or that a terminal interprets. */
const shown = (path: string): string => (/^[\x21-\x7e]+$/.test(path) ? path : JSON.stringify(path))
