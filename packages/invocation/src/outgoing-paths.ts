import { realpathSync } from 'node:fs'
import type { Catalog, Host, PromptCommand } from '@skills/core'

type PathHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'showsPaths'>

/** Skills, and the places that were searched for them: a catalog. */
type KnownSkills = Pick<Catalog, 'entries' | 'places'>

/** Variables that name folders of the person or of the system. */
const variables = [
  'CLAUDE_CONFIG_DIR',
  'CLAUDE_CODE_PLUGIN_CACHE_DIR',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'TMPDIR',
]

/** Returns the address of a skill's folder for readers who do not know this machine: `skill://acme/deploy`. */
export function skillAddress(name: string): string {
  return `skill://${name.split(':').map(encodeURIComponent).join('/')}`
}

/**
 * Replaces absolute paths of this machine in texts that leave the process: a skill's folder by its address, the working
 * folder by `.`, the home folder by `~`, and every other folder that the engine searches by its last part. Does nothing
 * if the host shows paths. See docs/reference/host.md, "Paths of this machine".
 */
export class OutgoingPaths {
  readonly #host: PathHost
  #catalog: KnownSkills | undefined
  #known: KnownFolders | undefined

  constructor(host: PathHost) {
    this.#host = host
  }

  /** Notes the skills of a catalog, whose folders are replaced from now on. */
  learn(catalog: KnownSkills): void {
    if (catalog === this.#catalog) return
    this.#catalog = catalog
    this.#known = undefined
  }

  /** Returns a text without paths of this machine. */
  text(text: string): string {
    if (this.#host.showsPaths === true || !/[/\\]/.test(text)) return text
    if (this.#known?.isCurrent !== true) this.#known = new KnownFolders(this.#host, this.#catalog)
    return this.#known.replaceIn(text)
  }
}

class KnownFolders {
  /** Words by folder. Folders of skills and plugins take precedence over those around them. */
  readonly addresses = new Map<string, string>()
  readonly #around = new Map<string, string>()
  /** Commands of the host whose folder is made by their first invocation. */
  readonly #unmade: PromptCommand[] = []
  readonly #isWindows: boolean
  readonly #pattern: RegExp | undefined
  #longest = 0

  constructor(host: PathHost, catalog: KnownSkills | undefined) {
    this.#isWindows = host.platform === 'win32'
    for (const { name, command } of catalog?.entries ?? []) {
      if (command.type !== 'prompt') continue
      const { baseDir, file, pluginName } = command
      if (baseDir === undefined && command.source === 'bundled') this.#unmade.push(command)
      if (baseDir !== undefined) this.#address(baseDir, skillAddress(name))
      if (baseDir !== undefined && file !== undefined) this.#address(parentOf(plain(file.realPath)), skillAddress(name))
      const plugin: unknown = 'plugin' in command ? command.plugin : undefined
      if (typeof plugin !== 'object' || plugin === null || pluginName === undefined) continue
      const path: unknown = Reflect.get(plugin, 'path')
      if (typeof path === 'string') this.#address(path, `plugin://${encodeURIComponent(pluginName)}`)
    }
    this.#put(host.cwd, '.')
    this.#put(host.home, '~')
    const places = (catalog?.places ?? []).map(({ path }) => plain(path)).filter(isFull)
    for (const one of [...places, ...around(plain(host.cwd), plain(host.home), places)]) this.#put(one, lastPart(one))
    for (const name of variables) {
      const value = host.env[name]
      if (value !== undefined && isFull(value)) this.#put(value, lastPart(plain(value)))
    }
    const roots = [...this.#around.keys()]
    const others = [...this.addresses.keys()].filter(folder => !roots.some(root => folder.startsWith(`${root}/`)))
    for (const { length } of this.addresses.keys()) this.#longest = Math.max(this.#longest, length)
    this.#pattern = patternOf([...roots, ...others], this.#isWindows)
  }

  /** False once a folder was made that it does not know. */
  get isCurrent(): boolean {
    return this.#unmade.every(({ baseDir }) => baseDir === undefined)
  }

  replaceIn(text: string): string {
    if (this.#pattern === undefined) return text
    let replaced = ''
    let end = 0
    for (const match of text.matchAll(this.#pattern)) {
      if (match.index < end) continue
      const found = this.#addressAt(text, match.index)
      const words = found?.words ?? this.#around.get(this.#keyOf(match[0]))
      if (words === undefined) continue
      replaced += text.slice(end, match.index) + words
      end = match.index + (found?.length ?? match[0].length)
    }
    return replaced + text.slice(end)
  }

  /** Finds the innermost folder of a skill or plugin at this place of a text. */
  #addressAt(text: string, at: number): { readonly words: string; readonly length: number } | undefined {
    const most = text.slice(at, at + this.#longest + 1)
    for (let length = Math.min(this.#longest, most.length); length > 0; length--) {
      if (isNameAt(text, at + length)) continue
      const words = this.addresses.get(this.#keyOf(most.slice(0, length)))
      if (words !== undefined) return { words, length }
    }
    return undefined
  }

  #address(folder: string, words: string): void {
    for (const one of [folder, encodeURI(folder)]) {
      const key = this.#keyOf(one)
      if (isFull(key) && !this.addresses.has(key)) this.addresses.set(key, words)
    }
  }

  #put(folder: string, words: string): void {
    for (const one of variantsOf(folder)) {
      const key = this.#keyOf(one)
      // The root of a disk is part of every path and says nothing about the machine.
      if (/[^/]\/[^/]|^\/[^/]/.test(key) && !this.#around.has(key)) this.#around.set(key, words)
    }
  }

  #keyOf(path: string): string {
    return this.#isWindows ? plain(path.replace(/[\\/]+/g, '/')).toLowerCase() : plain(path)
  }
}

/** Returns the folders above the working folder that have places of skills in them, such as the project's own. */
function around(cwd: string, home: string, places: readonly string[]): readonly string[] {
  const above: string[] = []
  for (let folder = parentOf(cwd); folder.length > 1; folder = parentOf(folder)) {
    if (home === folder || home.startsWith(`${folder}/`)) break
    if (places.some(place => place.startsWith(`${folder}/`))) above.push(folder)
  }
  return above
}

/**
 * Returns the pattern of these folders, the longest first. A path begins after a sign that no path has, an option such
 * as `-I`, or an escaped line break; letters of other alphabets may stand beside it, since their texts have no spaces.
 */
function patternOf(folders: readonly string[], isWindows: boolean): RegExp | undefined {
  if (folders.length === 0) return undefined
  const escaped = folders
    .toSorted((a, b) => b.length - a.length)
    .map(one => {
      const plainOne = one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      return isWindows ? plainOne.replaceAll('/', '[\\\\/]+') : plainOne
    })
  return new RegExp(
    `(?:(?<![A-Za-z0-9_.~-])|(?<=(?:^|\\s)-[A-Za-z]|\\\\[nrt]))(?:${escaped.join('|')})(?![A-Za-z0-9_-]|\\.[A-Za-z0-9])`,
    isWindows ? 'giu' : 'gu',
  )
}

/** True if a name continues at this place of a text. */
function isNameAt(text: string, at: number): boolean {
  return /^(?:[A-Za-z0-9_-]|\.[A-Za-z0-9])/.test(text.slice(at, at + 2))
}

/** Returns a path with its real path, both also as in an address. */
function variantsOf(folder: string): readonly string[] {
  return [folder, realOf(folder)].flatMap(path => [path, encodeURI(path)])
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    // A folder that does not exist has no other path.
    return folder
  }
}

function isFull(path: string): boolean {
  return /^(?:[\\/]|[a-z]:[\\/])/i.test(path)
}

/** Returns a path with forward slashes and without a slash at its end. */
function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/(?<=[^/])\/+$/, '')
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function lastPart(path: string): string {
  return `…/${path.slice(path.lastIndexOf('/') + 1)}`
}
