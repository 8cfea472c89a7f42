import { posix } from 'node:path'
import { AskedFile, realFolderOf, type PathPlace, type PatternPlace } from '@skills/files/internal'

export type { PathPlace }

/** Use of files by a tool: the tool shows a file, searches a folder, or changes a file. */
export type FileUse = 'reads' | 'searches' | 'edits'
export type FileTools = Readonly<Record<string, FileUse>>

/** Tools whose rules are about files. A host may add tools of its own. */
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

/**
 * Returns how a tool uses files; undefined if its rules are about other texts. Ignores letter case, as rules that
 * forbid do.
 */
export function fileUseOf(tool: string, tools: FileTools = knownFileTools): FileUse | undefined {
  const found = Object.keys(tools).find(name => name.toLowerCase() === tool.toLowerCase())
  return found === undefined ? undefined : tools[found]
}

interface FilesOf {
  /** Names of the tools whose rules about files count, in the same form as the other names of the probe. */
  readonly tools: readonly string[]
  /** True if it shows the names in a folder: a rule about everything in the folder is then about the folder. */
  readonly isSearch: boolean
  /** True if it shows the content of files below a folder, and not only their names. */
  readonly isWhole: boolean
  readonly paths: readonly string[]
  readonly unseen?: string | undefined
}

/** Files of one call, for the comparison with rules about files. They are examined when the first rule needs them. */
export class FileProbe {
  readonly tools: readonly string[]
  readonly isSearch: boolean
  readonly isWhole: boolean
  readonly place: Omit<PatternPlace, 'top'>
  readonly #paths: readonly string[]
  readonly #unseen: string | undefined
  #files: readonly AskedFile[] | undefined

  /** @param place undefined if it is unknown what paths start from */
  constructor({ tools, isSearch, isWhole, paths, unseen }: FilesOf, place: PathPlace | undefined) {
    this.tools = tools
    this.isSearch = isSearch
    this.isWhole = isWhole
    this.place = { cwd: '/', home: '/', platform: 'linux', ...place, realOf: remembered(realFolderOf) }
    this.#paths = paths
    this.#unseen =
      place === undefined ? 'is not known to the one who asks' : paths.length === 0 ? 'does not name a file' : unseen
    if (place === undefined) this.#files = []
  }

  get files(): readonly AskedFile[] {
    return (this.#files ??= this.#paths.map(path => new AskedFile(path, this.place)))
  }

  /** Returns a clause that says why the files are unknown; undefined if they are known. */
  get unseen(): string | undefined {
    return this.#unseen ?? this.files.find(({ unseen }) => unseen !== undefined)?.unseen
  }
}

export interface FileCall {
  readonly tool: string
  readonly content: string
  /** Files of the call, if the host names them. Otherwise they are read from the content. */
  readonly paths?: readonly string[] | undefined
  /** Folders that relative paths start from. Without it no rule about files allows, and every one that forbids does. */
  readonly place?: PathPlace | undefined
  /** Tools of the host whose rules are about files, besides the known ones. Default: none. */
  readonly fileTools?: FileTools | undefined
}

/**
 * Returns the files that a call is about; undefined for a tool whose rules are about other texts.
 *
 * An allow rule matches if it names the tool, or `Read` or `Edit` for all tools of that kind. A rule that forbids
 * reading forbids every way to read a file. It also forbids edits, because the result of an edit shows the file. A rule
 * that forbids edits or writing forbids every way to change a file.
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

/** Makes the probe of the files that a script names. The probe is compared with every rule about files. */
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

/**
 * Reads the paths from the content, which is a path or the tool's input as JSON. A file name may look like such an
 * input.
 */
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
  // An input with one path only is passed as that path, so this text is the name of a file.
  const isName = found === paths && given.length === 1
  const isClimbing =
    tool.toLowerCase() === 'glob' && typeof pattern === 'string' && /[*?[{].*\/\.\.(?:\/|$)/.test(pattern)
  return {
    paths: isBroad || isName ? [...found, content] : found,
    unseen: isClimbing
      ? 'has ".." after a wildcard'
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

/** Returns the folders that contain the names a pattern is matched with. */
function globbed(folder: string, pattern: string): readonly string[] {
  const start = pattern.split(/[*?[{]/, 1)[0] ?? ''
  const named = start === pattern ? start : start.slice(0, start.lastIndexOf('/') + 1)
  return [posix.isAbsolute(named) || named.startsWith('~') ? named : `${folder}/${named}`]
}
