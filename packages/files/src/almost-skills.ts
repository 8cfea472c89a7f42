import { abortError, type Diagnostic } from '@skills/core'
import { isInside } from '@skills/store'
import { isMarkdown, isSkillFile, stemOf, type Node } from './node.js'
import type { TreeOptions } from './tree-options.js'

/** Options of a tree that say which files are read. */
type Options = Pick<TreeOptions<never>, 'store' | 'loose' | 'within' | 'skipped' | 'fileBytes'>

interface ListedFolder {
  readonly path: string
  /** Names of its regular files. */
  readonly files: readonly string[]
  readonly options: Options
  readonly signal: AbortSignal
}

/** Bytes of a file that are read to tell what it is. */
const headBytes = 4096

/** Most files of one folder that are looked into; a folder with more holds something else. */
const mostFiles = 50

/**
 * Returns the name of a file that its author must have meant as the skill's file: `SKILL`, `SKILL.txt`, `SKILL.md.txt`,
 * `SKILL.markdown`, `skills.md`. Files that were put aside, such as `SKILL.md.bak`, are not meant. Returns undefined if
 * there is none, or if there is a `SKILL.md`.
 */
export function nearlySkillFile(files: readonly string[]): string | undefined {
  if (files.includes('SKILL.md')) return undefined
  return files.filter(name => /^skills?(?:\.(?:md|mdx|markdown|txt))*$/i.test(name)).sort()[0]
}

/**
 * Finds the files of a folder that are nearly skills and are not read: a skill's file under another name, a single file
 * where a folder is needed, a `skill.json`, and a link that git checked out as text. Reads only files that may be one of
 * these.
 * @param node folder that is not a skill
 * @param files names of its regular files
 */
export async function almostSkillsIn(
  node: Pick<Node<unknown>, 'path' | 'name' | 'depth'>,
  files: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const { path, name, depth } = node
  const { loose = false, skipped } = options
  const shown = files.filter(file => !file.startsWith('.') || !skipped.includes('hidden')).sort()
  const folder: ListedFolder = { path, files: shown, options, signal }
  const links = await textLinksIn(folder)
  const isLoose = loose === true || (loose !== false && (loose === 'root') === (depth === 0))
  if (isLoose || shown.some(isSkillFile)) return links
  const near = depth === 0 ? undefined : nearlySkillFile(shown)
  if (near !== undefined) return [otherName(name, `${path}/${near}`), ...links]
  const flat = depth > 1 ? [] : await skillTextsIn(folder, depth)
  const [only, ...more] = flat
  if (depth === 1 && only !== undefined && more.length === 0) return [otherName(name, `${path}/${only}`), ...links]
  const json = depth === 0 ? undefined : shown.find(file => file.toLowerCase() === 'skill.json')
  return [
    ...flat.map(file => flatSkill(stemOf(file), `${path}/${file}`)),
    ...(json === undefined ? [] : [jsonSkill(name, `${path}/${json}`)]),
    ...links,
  ]
}

/**
 * Returns the state of a folder of skills that is a file: a link which git checked out as text, or any other file.
 * @throws an error with the code `ENOTDIR` for any other file
 */
export async function fileAsRoot(
  root: string,
  options: Options,
  signal: AbortSignal,
): Promise<{
  readonly state: 'unreadable'
  readonly problems: readonly Diagnostic[]
  readonly realPath: string
  readonly isFile: false
}> {
  const link = await textLinkAt(root, options, signal)
  if (link === undefined) throw Object.assign(new Error('It is a file.'), { code: 'ENOTDIR' })
  return { state: 'unreadable', problems: [link], realPath: root, isFile: false }
}

/** Returns the problem of a file that is a link which git checked out as text, otherwise undefined. */
async function textLinkAt(path: string, options: Options, signal: AbortSignal): Promise<Diagnostic | undefined> {
  const head = await headOf(path, options, signal)
  const target = head === undefined ? undefined : linkInText(path, head, options.within)
  return target !== undefined && (await exists(target, options, signal))
    ? textLink(path.slice(path.lastIndexOf('/') + 1), path, target)
    : undefined
}

/** Returns the Markdown files whose frontmatter has a description, as only a skill or a command has. */
async function skillTextsIn({ path, files, options, signal }: ListedFolder, depth: number): Promise<readonly string[]> {
  const found: string[] = []
  const named = files.filter(file => isMarkdown(file) && (depth > 0 || !/^readme\.md$/i.test(file)))
  if (named.length > mostFiles) return found
  for (const file of named) {
    const head = await headOf(`${path}/${file}`, options, signal)
    if (head !== undefined && hasDescription(head.text)) found.push(file)
  }
  return found
}

function hasDescription(text: string): boolean {
  const [first = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (first.trimEnd() !== '---') return false
  const end = lines.findIndex(line => line.trimEnd() === '---')
  const block = end === -1 ? lines : lines.slice(0, end)
  // A page of a documentation has a title too.
  return block.some(line => /^description[ \t]*:/.test(line)) && !block.some(line => /^title[ \t]*:/.test(line))
}

async function textLinksIn({ path, files, options, signal }: ListedFolder): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  const named = files.filter(file => !file.includes('.'))
  if (named.length > mostFiles) return found
  for (const file of named) {
    const link = await textLinkAt(`${path}/${file}`, options, signal)
    if (link !== undefined) found.push(link)
  }
  return found
}

interface FileHead {
  readonly text: string
  readonly isWhole: boolean
}

/** Returns the beginning of a file, or undefined if it cannot be read: nothing is lost, because it is no skill. */
async function headOf(
  path: string,
  { store, fileBytes: maxBytes }: Options,
  signal: AbortSignal,
): Promise<FileHead | undefined> {
  try {
    const file = await store.read(path, { head: headBytes, maxBytes, signal })
    if (file?.found !== 'file') return undefined
    return { text: file.bytes.toString('utf8', 0, Math.min(file.length, headBytes)), isWhole: file.isWhole }
  } catch {
    if (signal.aborted) throw abortError(signal)
    return undefined
  }
}

async function exists(path: string, { store }: Options, signal: AbortSignal): Promise<boolean> {
  try {
    return (await store.stat(path, { signal })) !== undefined
  } catch {
    if (signal.aborted) throw abortError(signal)
    return false
  }
}

/**
 * Returns the absolute path that a link leads to which git checked out as a file with its target as text, as it does
 * on Windows. Returns undefined for any other text, and for a target outside the folders that links may lead into.
 * @param path absolute path of the file
 */
function linkInText(
  path: string,
  { text, isWhole }: FileHead,
  within: readonly string[] | undefined,
): string | undefined {
  if (!isWhole || !/^(?!\/)[^\\:\p{Cc}]*\/[^\\:\p{Cc}]*$/u.test(text)) return undefined
  const parts = path.split('/').slice(0, -1)
  for (const part of text.split('/')) {
    if (part === '..') {
      if (parts.length <= 1) return undefined
      parts.pop()
    } else if (part !== '.' && part !== '') parts.push(part)
  }
  const target = parts.join('/')
  return within === undefined || within.some(one => isInside(target, one.replace(/\/\*$/, ''))) ? target : undefined
}

/** Makes the problem of a skill's file under a name that is nearly `SKILL.md`. */
export function otherName(name: string, path: string): Diagnostic {
  return {
    ...notLoaded('near-miss', name, path),
    message: `${path} is not loaded: the file must be called SKILL.md.`,
    hint: 'Rename the file to SKILL.md.',
  }
}

/** Makes the problem of a skill that is a single file, where each skill is a folder. */
export function flatSkill(name: string, path: string): Diagnostic {
  return {
    ...notLoaded('flat-skill', name, path),
    message: `${path} is not loaded: it is a single file, and a skill is a folder.`,
    hint: `Move the file to ${path.slice(0, path.lastIndexOf('/'))}/${name}/SKILL.md.`,
  }
}

function jsonSkill(name: string, path: string): Diagnostic {
  return {
    ...notLoaded('json-skill', name, path),
    message: `${path} is not loaded: a skill is described by a SKILL.md, not by JSON.`,
    hint: 'Write a SKILL.md beside it with its name, its description and its instructions.',
  }
}

function textLink(name: string, path: string, target: string): Diagnostic {
  return {
    ...notLoaded('text-link', name, path),
    severity: 'error',
    type: 'io',
    message: `${path} is a link to ${target} that git checked out as text.`,
    hint: `Run "git config core.symlinks true", delete the file, and check it out again: git checkout -- ${JSON.stringify(path)} (Windows needs its Developer Mode for links).`,
  }
}

function notLoaded(code: string, name: string, path: string): Omit<Diagnostic, 'message' | 'hint'> {
  return { severity: 'warning', type: 'validation', code, name, path }
}
