import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host } from '@skills/core'
import { systemCode, unlessRefused } from '../problem.js'

/** Working folder and home folder that a tool's path starts from, absolute, and the platform. */
export type PathPlace = Pick<Host, 'cwd' | 'home' | 'platform'>

/** Most links that one path may lead through, as in operating systems. */
const mostLinks = 40
/** Most characters of a path; no system opens a longer one. */
const mostCharacters = 4096

/** Paths that are another file for each process that opens them. */
const ofProcess =
  /^\/(?:proc\/[^/]+\/(?:task\/[^/]+\/)?(?:fd|cwd|root|exe|map_files)|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/

/**
 * File that a tool asks for, with every path that leads to it: the path as written, the path with each link resolved in
 * turn, and the real path. The real path of a missing file is the real path of its nearest existing folder, followed by
 * the missing names. Hard links cannot be detected.
 */
export class AskedFile {
  readonly text: string
  /** All paths of the file, absolute, with forward slashes, without `.` and `..`. */
  readonly forms: readonly string[]
  /** Paths that an allow rule must cover. Empty if they cannot be determined. */
  readonly certain: readonly string[]
  /** Clause that says why the file cannot be determined; undefined if it can. */
  readonly unseen: string | undefined
  /** True if it is a folder; false if it is missing. */
  readonly isFolder: boolean

  /** @param place looked at by each new object, so that the paths are current */
  constructor(text: string, place: PathPlace) {
    this.text = text
    const forms = new Set<string>()
    const certain = new Set<string>()
    let isFolder = false
    let unseen = text.includes('\0')
      ? 'holds a NUL character'
      : text.length > mostCharacters
        ? `has more than ${mostCharacters} characters`
        : undefined
    for (const reading of unseen === undefined ? readingsOf(text, place) : []) {
      for (const way of new Set([reading, plain(reading)])) {
        const walked = walk(way, form => forms.add(form))
        certain.add(plain(way)).add(walked.real)
        isFolder ||= walked.isFolder
        unseen ??= walked.unseen
      }
    }
    if (place.platform === 'win32') for (const form of certain) certain.add(withoutStreams(form))
    this.forms = [...new Set([...forms, ...certain])]
    this.certain = unseen === undefined ? [...certain] : []
    this.unseen = unseen
    this.isFolder = isFolder
  }
}

/** Returns the real path of a folder, even a missing one, or the path itself if it cannot be resolved. */
export function realFolderOf(path: string): string {
  const { real, unseen } = walk(path, () => {})
  return unseen === undefined ? real : path
}

/**
 * Yields the paths in a folder, relative to it, in the order in which a search would find the files. Follows no link.
 * @param most limit; yields undefined at the end if there are more, or a folder cannot be listed
 */
export function* pathsUnder(folder: string, most: number): Generator<string | undefined> {
  const waiting = ['']
  let left = most
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    const entries = entriesOf(`${folder}/${inner}`)
    if (entries === undefined) yield undefined
    for (const entry of entries ?? []) {
      if (left-- <= 0) return yield undefined
      const path = `${inner}${entry.name}`
      yield path
      if (entry.isDirectory()) waiting.push(`${path}/`)
    }
  }
}

function entriesOf(folder: string) {
  return unlessRefused(() => readdirSync(folder, { withFileTypes: true }), undefined)
}

/** Removes `.`, `..`, doubled slashes, and a slash at the end. */
export function plain(path: string): string {
  const normal = posix.normalize(path)
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal
}

/** Returns every path that a tool may take a text for, absolute: tools differ in what they trim and expand. */
function readingsOf(text: string, { cwd, home, platform }: PathPlace): ReadonlySet<string> {
  const found = new Set<string>()
  const slashed = (path: string): string => (platform === 'win32' ? path.replaceAll('\\', '/') : path)
  const folder = slashed(cwd)
  const add = (given: string): void => {
    const path = platform === 'win32' ? withoutDevice(slashed(given)) : given
    if (/^~(?:\/|$)/.test(path)) {
      found.add(slashed(home) + path.slice(1))
      // A folder that is really called `~` is meant.
      if (statOf(`${folder}/~`) === undefined) return
    }
    found.add(isAbsolute(path, platform) ? path : `${folder}/${path}`)
  }
  add(text)
  if (text.trim() !== text) add(text.trim())
  if (/^\s*file:/i.test(text)) {
    // A tool may only drop the scheme before the path, and a "#" is then part of a name.
    add(text.trim().replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, ''))
    try {
      add(fileURLToPath(text.trim(), { windows: platform === 'win32' }))
    } catch (error) {
      // A URL that leads to no file of this machine is refused by the tool. Its text as a path is covered above.
      if (systemCode(error) === undefined) throw error
    }
  }
  return found
}

function isAbsolute(path: string, platform: NodeJS.Platform): boolean {
  return path.startsWith('/') || (platform === 'win32' && /^[a-z]:\//i.test(path))
}

/** Removes the device prefix: `\\?\C:\x` and `C:\x` are one file. */
function withoutDevice(path: string): string {
  return path.replace(/^\/\/[?.]\//, '').replace(/^[a-z]:/, drive => drive.toUpperCase())
}

/** Returns the path that Windows opens for names such as `x.` and `x::$DATA`. */
function withoutStreams(path: string): string {
  return path
    .split('/')
    .map((name, at) =>
      at === 0 && /^[a-z]:$/i.test(name) ? name : (name.split(':', 1)[0] ?? '').replace(/[. ]+$/, ''),
    )
    .join('/')
}

interface Walked {
  readonly real: string
  readonly isFolder: boolean
  readonly unseen?: string | undefined
}

/**
 * Follows a path name by name as the system does; `..` after a link leads out of the link's target.
 * @param path absolute
 * @param onForm called with the path that is left after each link
 */
function walk(path: string, onForm: (path: string) => void): Walked {
  const drive = /^[a-z]:(?=\/|$)/i.exec(path)?.[0] ?? ''
  const rest = path.slice(drive.length).split('/').toReversed()
  let done = drive
  let links = 0
  let unseen: string | undefined
  let isFolder = true
  while (rest.length > 0) {
    const name = rest.pop()
    if (name === undefined || name === '' || name === '.') continue
    if (name === '..') {
      done = done.slice(0, Math.max(drive.length, done.lastIndexOf('/')))
      continue
    }
    const next = `${done}/${name}`
    if (ofProcess.test(next)) unseen ??= `leads through ${next}, which stands for another file in each process`
    const found = statOf(next)
    if (typeof found === 'string') unseen ??= `cannot be followed at ${next}: ${found}`
    if (found === undefined || typeof found === 'string') {
      const real = plain([next, ...rest.toReversed()].join('/'))
      return { real, isFolder: false, unseen }
    }
    isFolder = found.isDirectory()
    if (!found.isSymbolicLink()) {
      done = next
      continue
    }
    const target = ++links > mostLinks ? undefined : targetOf(next)
    if (target === undefined)
      return { real: plain(path), isFolder: false, unseen: unseen ?? `leads through too many links at ${next}` }
    rest.push(...target.split('/').toReversed())
    if (target.startsWith('/')) done = ''
    else if (/^[a-z]:\//i.test(target) && drive !== '') done = ''
    onForm(plain(`${done}/${rest.toReversed().join('/')}`))
    isFolder = true
  }
  return { real: done === drive ? `${drive}/` : done, isFolder, unseen }
}

/** Returns the stats of a path, undefined if nothing is there, or the system's code if it may not be looked at. */
function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return code === 'ENOTDIR' ? undefined : code
  }
}

function targetOf(link: string): string | undefined {
  return unlessRefused(() => {
    const target = readlinkSync(link)
    return process.platform === 'win32' ? target.replaceAll('\\', '/') : target
  }, undefined)
}
