import { isInside } from '@skills/store'
import { GlobLine, type Effort } from '../glob-line.js'
import { plain, type AskedFile, type PathPlace } from './asked-file.js'

/** Where the patterns of one rule start. */
export interface PatternPlace extends PathPlace {
  /** What `/x` is relative to: the folder that the rule's settings belong to, absolute. */
  readonly top: string
  /** The real path of a folder: one question about many rules looks at each folder once. See {@link realFolderOf}. */
  readonly realOf: (path: string) => string
}

/** Why a pattern says nothing, and how to write what was probably meant. */
export interface PatternProblem {
  /** A clause: `names a variable, which no one replaces`. */
  readonly problem: string
}

interface Lines {
  readonly exact: GlobLine
  readonly folded: GlobLine
}

type Anchor = 'root' | 'home' | 'top' | 'cwd'

const mostCharacters = 1024
/** What holding one pattern against one path may cost. */
const mostSteps = 1_000_000
const wild = /[*?[\\]/

/**
 * A pattern of files as permission rules have it: a line of a `.gitignore`, which begins where its first characters
 * say: `//x` at the root of the file system, `~/x` in the home folder, `/x` in the folder of the settings, `./x`, `../x`
 * and `x` in the working folder. A pattern that matches a folder matches all that is in it. See
 * docs/reference/permissions.md, "Rules about files".
 */
export class PathPattern {
  readonly #anchor: Anchor
  /** How many folders up it begins. */
  readonly #up: number
  /** Names that it begins with, where it says from where. */
  readonly #names: readonly string[]
  /** What follows these, as it is written and in small letters; undefined where nothing does. */
  readonly #rest: Lines | undefined
  readonly #isForFolders: boolean

  private constructor(
    {
      anchor,
      up,
      names,
      isForFolders,
    }: { anchor: Anchor; up: number; names: readonly string[]; isForFolders: boolean },
    rest: Lines | undefined,
  ) {
    this.#anchor = anchor
    this.#up = up
    this.#names = names
    this.#isForFolders = isForFolders
    this.#rest = rest
  }

  /** Reads what stands between the parentheses of a rule. */
  static of(text: string): PathPattern | PatternProblem {
    const problem = problemOf(text)
    if (problem !== undefined) return { problem }
    const [, start = '', body = ''] = /^(\/\/|~\/|~$|\/|(?:\.\.?(?:\/|$))*)(.*)$/s.exec(text) ?? []
    const anchor = start === '//' ? 'root' : start.startsWith('~') ? 'home' : start === '/' ? 'top' : 'cwd'
    const up = start.match(/\.\./g)?.length ?? 0
    const isForFolders = body.endsWith('/')
    const bare = isForFolders ? body.slice(0, -1) : body
    const steps = bare === '' ? [] : bare.split('/')
    if (steps.some(step => step === '' || step === '.' || step === '..'))
      return { problem: 'has an empty name, "." or ".." after its first names: write the path without it' }
    const isAnchored = start !== '' || steps.length > 1
    const wildAt = isAnchored ? steps.findIndex(step => wild.test(step)) : 0
    const names = wildAt < 0 ? steps : steps.slice(0, wildAt)
    const given = { anchor, up, names: names.map(name => name.normalize('NFC')), isForFolders } as const
    if (wildAt < 0) return new PathPattern(given, undefined)
    const written = steps.slice(wildAt).join('/').normalize('NFC')
    // A single name counts at any depth where nothing says from where.
    const line = isAnchored ? `/${written}` : written.replace(/^[#!]/, String.raw`\$&`)
    const [exact, folded] = [GlobLine.of(line, false), GlobLine.of(foldedPath(line), true)]
    if (exact === undefined || folded === undefined)
      return { problem: 'has a bracket that is not closed, or a backslash at its end' }
    return new PathPattern(given, { exact, folded })
  }

  /**
   * Whether a rule that allows covers a file: by each path that surely leads to it, the real one among them, in its own
   * letters.
   */
  covers({ certain, isFolder }: AskedFile, place: PatternPlace): boolean {
    const base = this.#base(this.#anchor, place)
    const starts = [base, place.realOf(base)].map(folder => this.#start(folder))
    return (
      certain.length > 0 &&
      certain.every(path => starts.some(start => this.#matches(path.normalize('NFC'), start, 'exact', isFolder)))
    )
  }

  /**
   * Tells of paths whether a rule that forbids may be about them: by any of those that lead to a file, in any letters,
   * and as far as it is about what its beginning leads to. `/x` counts from the root of the file system and from the
   * working folder too.
   */
  touching(place: PatternPlace): (forms: readonly string[]) => boolean {
    const anchors: readonly Anchor[] = this.#anchor === 'top' ? ['top', 'cwd', 'root'] : [this.#anchor]
    const starts = new Set(
      anchors.flatMap(anchor => {
        const start = this.#start(this.#base(anchor, place))
        return [start, place.realOf(start)]
      }),
    )
    const folded = new Set([...starts].map(foldedPath))
    // A bracket such as [A-Z] says something else in small letters.
    return forms =>
      forms.some(path => {
        const [small, exact] = [foldedPath(path), path.normalize('NFC')]
        return (
          [...folded].some(start => this.#matches(small, start, 'folded', true)) ||
          (this.#rest !== undefined && [...starts].some(start => this.#matches(exact, start, 'exact', true)))
        )
      })
  }

  #base(anchor: Anchor, { cwd, home, top, platform }: PatternPlace): string {
    const folder = { root: '/', home, top, cwd }[anchor]
    return plain(`${platform === 'win32' ? folder.replaceAll('\\', '/') : folder}/${'../'.repeat(this.#up)}`)
  }

  /** The folder or file that all it is about lies in. */
  #start(base: string): string {
    return plain(`${base}/${this.#names.join('/')}`).normalize('NFC')
  }

  /** @param path of one form of letters, as `start` */
  #matches(path: string, start: string, letters: 'exact' | 'folded', isFolder: boolean): boolean {
    const inside = pathWithin(path, start)
    if (inside === undefined) return false
    const isBroad = letters === 'folded'
    if (this.#rest === undefined) return inside !== '' || !this.#isForFolders || isFolder
    const effort: Effort = { left: mostSteps }
    const isMatched = says(this.#rest[letters], inside, { isForFolders: this.#isForFolders, isFolder, effort })
    // What takes too long to say is forbidden and not allowed.
    return effort.left > 0 ? isMatched : isBroad
  }
}

/** A path from a folder on; empty for the folder itself, undefined for what is elsewhere. */
function pathWithin(path: string, folder: string): string | undefined {
  if (folder === '/') return path.replace(/^\//, '')
  // Of Windows `//c/x` is on the drive C.
  const inDrive = folder.replace(/^\/([a-z])(?=\/|$)/i, (_all, drive: string) =>
    path.startsWith(`${drive.toLowerCase()}:`) ? `${drive.toLowerCase()}:` : `${drive.toUpperCase()}:`,
  )
  const found = [folder, inDrive].find(one => path === one || isInside(path, one))
  return found === undefined ? undefined : path.slice(found.length).replace(/^\//, '')
}

function says(
  line: GlobLine,
  path: string,
  { isForFolders, isFolder, effort }: { isForFolders: boolean; isFolder: boolean; effort: Effort },
): boolean {
  if (path === '') return false
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (line.matches(path.slice(0, at), true, effort)) return true
  return (!isForFolders || isFolder) && line.matches(path, isFolder, effort)
}

/** Letters that some file system takes for the same, and none of those that one of them leaves out. */
function foldedPath(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, which is nearly every path
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  const visible = text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.toUpperCase().toLowerCase().normalize('NFC')
}

const problems: readonly (readonly [when: RegExp, problem: string])[] = [
  [/^$/, 'names no file'],
  [/\p{Cc}/u, 'holds a control character'],
  [/^!/, 'is a negation, and a rule takes nothing back: write a rule that allows'],
  [/^file:/i, 'is a URL: write the path, from the root of the file system with two slashes, as //etc/hosts'],
  [/^[a-z]:[\\/]/i, 'begins with a drive: write //c/Users for C:\\Users'],
  [/^~[^/]/, 'names the home of another user: write its path with two slashes, as //home/name'],
  [
    /(?:^|[^\\])(?:\$(?:\{|[A-Z_]{2})|%[A-Za-z_]+%)/,
    'names a variable, which no one replaces: write ~/ for the home folder, or the path with two slashes before it',
  ],
  [/(?:^|[^\\])\{[^{}]*,[^{}]*\}/, 'has a list in braces, which patterns of files do not have: write a rule for each'],
  [/\\[\p{L}\p{N}_.~-]/u, 'has a backslash between names: write slashes'],
  [/[^\\],\s/, 'seems to name several files: write a rule for each'],
  [/:\*$/, 'ends with ":*", which is for commands: write /** for all that is in a folder'],
]

function problemOf(text: string): string | undefined {
  if (text.length > mostCharacters) return `has more than ${mostCharacters} characters`
  return problems.find(([when]) => when.test(text))?.[1]
}
