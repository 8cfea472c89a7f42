import { isInside } from '@skills/store'
import { GlobLine, type Effort } from '../glob-line.js'
import { plain, type AskedFile, type PathPlace } from './asked-file.js'

/** Folders that the patterns of one rule start from. */
export interface PatternPlace extends PathPlace {
  /** Folder that `/x` is relative to: the one that the rule's settings belong to, absolute. */
  readonly top: string
  /**
   * Returns the real path of a folder. Lets a question about many rules look at each folder once. See {@link
   * realFolderOf}.
   */
  readonly realOf: (path: string) => string
}

/** Reason why a pattern is invalid, with the pattern that the author probably meant. */
export interface PatternProblem {
  /** Clause, such as `names a variable, which no one replaces`. */
  readonly problem: string
}

interface Lines {
  readonly exact: GlobLine
  readonly folded: GlobLine
}

type Anchor = 'root' | 'home' | 'top' | 'cwd'

const mostCharacters = 1024
/** Steps that matching one pattern against one path may take. */
const mostSteps = 1_000_000
const wild = /[*?[\\]/

/**
 * Pattern for files in a permission rule: a line of a `.gitignore` whose first characters say where it starts. `//x`
 * starts at the root of the file system, `~/x` in the home folder, `/x` in the folder of the settings, `./x`, `../x`
 * and `x` in the working folder. A pattern that matches a folder matches everything in it. See
 * docs/reference/permissions.md, "Rules about files".
 */
export class PathPattern {
  readonly #anchor: Anchor
  /** Number of folders above the start at which it begins. */
  readonly #up: number
  /** Names without wildcards that it begins with, if it says where it starts. */
  readonly #names: readonly string[]
  /** Lines for the rest of the pattern, as written and in lower case; undefined if there is none. */
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

  /** Reads the text between the parentheses of a rule. */
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
      return { problem: 'has an empty name, "." or ".." after its first names: write the path without that name' }
    const isAnchored = start !== '' || steps.length > 1
    const wildAt = isAnchored ? steps.findIndex(step => wild.test(step)) : 0
    const names = wildAt < 0 ? steps : steps.slice(0, wildAt)
    const given = { anchor, up, names: names.map(name => name.normalize('NFC')), isForFolders } as const
    if (wildAt < 0) return new PathPattern(given, undefined)
    const written = steps.slice(wildAt).join('/').normalize('NFC')
    // A single name matches at any depth if the pattern does not say where it starts.
    const line = isAnchored ? `/${written}` : written.replace(/^[#!]/, String.raw`\$&`)
    const [exact, folded] = [GlobLine.of(line, false), GlobLine.of(foldedPath(line), true)]
    if (exact === undefined || folded === undefined)
      return { problem: 'has a bracket that is not closed, or a backslash at its end' }
    return new PathPattern(given, { exact, folded })
  }

  /**
   * Returns true if an allow rule covers a file: it must match every certain path, the real one included, in exact
   * letter case.
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
   * Makes a test for deny rules. It returns true if any of a file's paths may match, in any letter case, or by the real
   * path of the pattern's beginning. `/x` also matches from the root of the file system and from the working folder.
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
    // A bracket such as [A-Z] has another meaning in lower case.
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

  /** Returns the folder or file that contains everything the pattern can match. */
  #start(base: string): string {
    return plain(`${base}/${this.#names.join('/')}`).normalize('NFC')
  }

  /** @param path in the same letter case as `start` */
  #matches(path: string, start: string, letters: 'exact' | 'folded', isFolder: boolean): boolean {
    const inside = pathWithin(path, start)
    if (inside === undefined) return false
    const isBroad = letters === 'folded'
    if (this.#rest === undefined) return inside !== '' || !this.#isForFolders || isFolder
    const effort: Effort = { left: mostSteps }
    const isMatched = says(this.#rest[letters], inside, { isForFolders: this.#isForFolders, isFolder, effort })
    // A match that takes too long counts as one for deny rules, and not for allow rules.
    return effort.left > 0 ? isMatched : isBroad
  }
}

/** Returns a path relative to a folder: empty for the folder itself, undefined outside it. */
function pathWithin(path: string, folder: string): string | undefined {
  if (folder === '/') return path.replace(/^\//, '')
  // On Windows `//c/x` is on drive C.
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

/** Folds letters that some file system treats as equal, and removes those that some file system ignores. */
function foldedPath(text: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, which is nearly every path
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase()
  const visible = text.normalize('NFC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return visible.toUpperCase().toLowerCase().normalize('NFC')
}

const problems: readonly (readonly [when: RegExp, problem: string])[] = [
  [/^$/, 'does not name a file'],
  [/\p{Cc}/u, 'holds a control character'],
  [/^!/, 'is a negation, and a rule cannot undo another rule: write a rule that allows those files'],
  [/^file:/i, 'is a URL: write the path, from the root of the file system with two slashes, as //etc/hosts'],
  [/^[a-z]:[\\/]/i, 'begins with a drive: write //c/Users for C:\\Users'],
  [/^~[^/]/, 'names the home of another user: write its path with two slashes, as //home/name'],
  [
    /(?:^|[^\\])(?:\$(?:\{|[A-Z_]{2})|%[A-Za-z_]+%)/,
    'names a variable, which is not replaced by its value: write ~/ for the home folder, or the path with two slashes before it',
  ],
  [
    /(?:^|[^\\])\{[^{}]*,[^{}]*\}/,
    'has a list in braces, which file patterns do not support: write one rule for each file',
  ],
  [/\\[\p{L}\p{N}_.~-]/u, 'has a backslash between names: write slashes'],
  [/[^\\],\s/, 'seems to name several files: write one rule for each file'],
  [/:\*$/, 'ends with ":*", which is only for commands: write /** for all files in a folder'],
]

function problemOf(text: string): string | undefined {
  if (text.length > mostCharacters) return `has more than ${mostCharacters} characters`
  return problems.find(([when]) => when.test(text))?.[1]
}
