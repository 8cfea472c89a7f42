import { posix } from 'node:path'
import { AskedFile, realFolderOf, type PathPlace, type PatternPlace } from '@skills/files/internal'

export type { PathPlace }

/** What a tool does with the files that it is called with: shows one, looks through a folder, or changes one. */
export type FileUse = 'reads' | 'searches' | 'edits'
export type FileTools = Readonly<Record<string, FileUse>>

/** Tools whose rules are about files. A host names its own besides. */
export const knownFileTools: FileTools = {
  Read: 'reads',
  NotebookRead: 'reads',
  Glob: 'searches',
  Grep: 'searches',
  LS: 'searches',
  Edit: 'edits',
  MultiEdit: 'edits',
  NotebookEdit: 'edits',
  Write: 'edits',
}

/** What a tool does with files; undefined where its rules are about other texts. Ignores case, as what forbids does. */
export function fileUseOf(tool: string, tools: FileTools = knownFileTools): FileUse | undefined {
  const found = Object.keys(tools).find(name => name.toLowerCase() === tool.toLowerCase())
  return found === undefined ? undefined : tools[found]
}

interface FilesOf {
  /** The tools whose rules about files count, in the form of the other names of the probe. */
  readonly tools: readonly string[]
  /** Whether it shows what is in a folder, so that what is about everything in there is about the folder. */
  readonly isSearch: boolean
  /** Whether it shows what files below a folder hold, and not only their names. */
  readonly isWhole: boolean
  readonly paths: readonly string[]
  readonly unseen?: string | undefined
}

/** The files of one call, as rules about files are held against them. They are looked at once a rule is about some. */
export class FileProbe {
  readonly tools: readonly string[]
  readonly isSearch: boolean
  readonly isWhole: boolean
  readonly place: Omit<PatternPlace, 'top'>
  readonly #paths: readonly string[]
  readonly #unseen: string | undefined
  #files: readonly AskedFile[] | undefined

  /** @param place undefined where no one says what paths start from */
  constructor({ tools, isSearch, isWhole, paths, unseen }: FilesOf, place: PathPlace | undefined) {
    this.tools = tools
    this.isSearch = isSearch
    this.isWhole = isWhole
    this.place = { cwd: '/', home: '/', platform: 'linux', ...place, realOf: remembered(realFolderOf) }
    this.#paths = paths
    this.#unseen =
      place === undefined ? 'is not known to the one who asks' : paths.length === 0 ? 'names no file' : unseen
    if (place === undefined) this.#files = []
  }

  get files(): readonly AskedFile[] {
    return (this.#files ??= this.#paths.map(path => new AskedFile(path, this.place)))
  }

  /** Why it cannot be told which files these are, as a clause. */
  get unseen(): string | undefined {
    return this.#unseen ?? this.files.find(({ unseen }) => unseen !== undefined)?.unseen
  }
}

export interface FileCall {
  readonly tool: string
  readonly content: string
  /** The files, where the host says them; else they are read out of the content. */
  readonly paths?: readonly string[] | undefined
  /** What a path that is no absolute one starts from. Without it no rule about files allows, and all that forbid do. */
  readonly place?: PathPlace | undefined
  /** Tools of the host whose rules are about files, besides those that everyone knows. Default: none. */
  readonly fileTools?: FileTools | undefined
}

/**
 * The files that a call is about; undefined for a tool whose rules are about other texts.
 *
 * What allows names the tool or, for its kind, `Read` or `Edit`. What forbids reading forbids each way to read, and
 * edits, whose answers show the file; what forbids edits or writing forbids every way to change a file.
 */
export function fileProbe(call: FileCall, behavior: 'allow' | 'forbid'): FileProbe | undefined {
  const { tool, content, paths, place } = call
  const use = fileUseOf(tool, { ...knownFileTools, ...call.fileTools })
  if (use === undefined) return undefined
  const general = use !== 'edits' ? ['Read'] : behavior === 'allow' ? ['Edit'] : ['Edit', 'Write', 'Read']
  const names = [tool, ...general.filter(name => name !== 'Read' || use !== 'edits' || tool.toLowerCase() !== 'write')]
  const texts = paths === undefined ? pathsIn(tool, content, { use, isBroad: behavior === 'forbid' }) : { paths }
  return new FileProbe(
    {
      tools: [...new Set(behavior === 'allow' ? names : names.map(name => name.toLowerCase()))],
      isSearch: use === 'searches',
      isWhole: use === 'searches' && !['glob', 'ls'].includes(tool.toLowerCase()),
      ...texts,
    },
    place,
  )
}

/** The same of files that a script names: every rule about files counts. */
export function namedFilesProbe(paths: readonly string[], place: PathPlace): FileProbe {
  const tools = Object.keys(knownFileTools).map(name => name.toLowerCase())
  return new FileProbe({ tools, isSearch: true, isWhole: false, paths }, place)
}

function remembered(find: (path: string) => string): (path: string) => string {
  const known = new Map<string, string>()
  return path => {
    const found = known.get(path) ?? find(path)
    known.set(path, found)
    return found
  }
}

const pathFields = ['file_path', 'filePath', 'notebook_path', 'path']

/** The content is the path, or the input of the tool as JSON; a file may be called like such an input. */
function pathsIn(
  tool: string,
  content: string,
  { use, isBroad }: { readonly use: FileUse; readonly isBroad: boolean },
): { readonly paths: readonly string[]; readonly unseen?: string | undefined } {
  const fields = fieldsOf(content)
  if (fields === undefined) return content === '' ? { paths: use === 'searches' ? ['.'] : [] } : { paths: [content] }
  const given = pathFields.map(name => fields[name]).filter(value => value !== undefined && value !== null)
  const paths = given.filter(value => typeof value === 'string')
  const folder = paths[0] ?? '.'
  const { pattern } = fields
  const found =
    tool.toLowerCase() === 'glob' && typeof pattern === 'string'
      ? [...paths, ...globbed(folder, pattern)]
      : paths.length === 0 && use === 'searches'
        ? ['.']
        : paths
  // What names one path is given as that path, so this is a file that is called so.
  const isName = found === paths && given.length === 1
  const isClimbing =
    tool.toLowerCase() === 'glob' && typeof pattern === 'string' && /[*?[{].*\/\.\.(?:\/|$)/.test(pattern)
  return {
    paths: isBroad || isName ? [...found, content] : found,
    unseen: isClimbing
      ? 'has ".." behind a wildcard'
      : paths.length < given.length || found.length === 0
        ? 'is not given as one path'
        : undefined,
  }
}

function fieldsOf(content: string): Readonly<Record<string, unknown>> | undefined {
  if (!content.startsWith('{')) return undefined
  try {
    const data: unknown = JSON.parse(content)
    return typeof data === 'object' && data !== null ? { ...data } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Where the names that a pattern is matched with lie. */
function globbed(folder: string, pattern: string): readonly string[] {
  const start = pattern.split(/[*?[{]/, 1)[0] ?? ''
  const named = start === pattern ? start : start.slice(0, start.lastIndexOf('/') + 1)
  return [posix.isAbsolute(named) || named.startsWith('~') ? named : `${folder}/${named}`]
}
