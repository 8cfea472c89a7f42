import { createHash } from 'node:crypto'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isInside } from '@skills/store'
import { isJsonObject, readJsonFile } from './json-file.js'
import { lstatOf, realPathOf, statOf } from './real-path.js'
import { readWholeFileSync } from './read-file.js'
import { slashes } from './slashes.js'

export interface NamedFilesPlace {
  /** Where the program is started, absolute. */
  readonly cwd: string
  /** What a person agrees to lies in it: a project's folder, or a plugin's; absolute. */
  readonly top: string
}

/** Looks at the disk, after which it is not told what a command line names. */
const mostLooks = 20_000
const mostBytes = 64 * 1024 * 1024
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.json', '.py', '.sh', '.rb', '.cmd']
/** What programs run of a folder that they are given, besides `index` with an ending. */
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
/** What programs read in the folder that they are started in, and run what it says. */
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
 * The files of a project that a command line names, each with a digest of its bytes, one a line in order: what a person
 * agrees to besides the command itself. A word names a file by its path from where the program is started or from the
 * top, with an ending that programs add, as a part of a word (`--import=./x`, `sh -c "./a; ./b"`), within a folder that
 * another word names, as a module of Python, or as a program of `node_modules`. What these files import is not told.
 * Undefined where there are too many words to tell.
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
  // Only those that words name: what is in these again names no further ones.
  const folders = [...search.folders]
  for (const folder of folders) for (const token of tokens) search.look(folder, token)
  return search.isOver
    ? undefined
    : [...search.found].map(([path, digest]) => `${shown(relative(top, path))} ${digest}`).toSorted()
}

class Search {
  /** Digests by paths. */
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

  /** Looks for what a word can mean in a folder. */
  look(folder: string, token: string): void {
    if (this.isOver) return
    // After a variable, as in `$ROOT/run.sh`, a path begins like an absolute one.
    const paths = isAbsolute(token) ? [resolve(token), join(folder, token)] : [resolve(folder, token)]
    if (/^\w+(?:\.\w+)+$/.test(token)) paths.push(join(folder, token.replaceAll('.', '/')))
    for (const path of paths) for (const end of endings) this.add(`${path}${end}`)
  }

  /** Adds a file of the project, and what counts of a folder. */
  add(given: string): void {
    const path = slashes(given)
    if (this.#looked.has(path) || this.isOver || path.includes('\0')) return
    this.#looked.add(path)
    if (lstatOf(path) === undefined) return
    const real = realPathOf(path)
    // A link to nothing may lead to something later.
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
  // What cannot be read whole is at least noticed when it is written to.
  return `cannot be read whole: ${stats?.size ?? 0} bytes of ${stats?.mtimeMs ?? 0}${to}`
}

const variable = /\$\{[^}]*\}|\$\w+|%\w+%/g
const between = /[\s:;,=|&()<>"'`$\\{}[\]]+/

/** Every part of words that may name a file. */
function tokensOf(words: readonly string[]): readonly string[] {
  const tokens = new Set<string>()
  for (const word of words) {
    tokens.add(word)
    if (/^-\w./.test(word)) tokens.add(word.slice(2))
    for (const url of word.match(/file:\/\/[^\s"'`]+/g) ?? []) tokens.add(pathOfUrl(url))
    // A variable may stand for any folder; what is in its braces may name a file too.
    for (const part of `${word} ${word.replaceAll(variable, ' ')}`.split(between)) tokens.add(part)
    if (tokens.size > mostLooks) break
  }
  return [...tokens].filter(token => token !== '')
}

function pathOfUrl(url: string): string {
  try {
    return fileURLToPath(url)
  } catch {
    // It names no file of this machine.
    return ''
  }
}

/** From a folder to the top, where it is in that. */
function* upwards(folder: string, top: string): Generator<string> {
  for (let at = resolve(folder); isInside(slashes(at), slashes(top)); at = dirname(at)) {
    yield at
    if (at === dirname(at)) return
  }
}

/** On one line, and without what a terminal heeds. */
const shown = (path: string): string => (/^[\x21-\x7e]+$/.test(path) ? path : JSON.stringify(path))
