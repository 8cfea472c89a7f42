import { posix } from 'node:path'
import * as s from '@skills/core/schema'
import { checkStandard, parseHead, readFields } from '@skills/skill-md'
import { describeProblem, type FieldOptions, type ParsedFrontmatter } from '@skills/skill-md/internal'
import { readWholeFile } from '@skills/files'
import { checkBody } from './check-body.js'
import { checkHooks } from './check-hooks.js'
import { checkLinks } from './check-links.js'
import { checkPlaceholder } from './check-placeholder.js'
import { checkPlace, isSkillFile } from './check-place.js'
import { checkTools } from './check-tools.js'
import { checkQuoted } from './check-quoted.js'
import type { Diagnostic, FileIdentity } from '@skills/core'

export const textCheckOptions = s.options('checkText()', {
  /**
   * True if the rules of the open Agent Skills standard are checked too. They do not apply to legacy commands. Default:
   * false.
   */
  standard: s.flag(),
  /** Limits of the fields, and whether exceeding one is a warning (default) or an error. */
  fields: s.typed<FieldOptions>('an object'),
  /** Recommended limit of a body in characters; more is a warning. Default: 15,000. */
  bodyChars: s.number(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface CheckOptions extends s.OptionsOf<typeof textCheckOptions> {}

/** Result for one file; without `content` the file could not be parsed. */
export interface Checked {
  readonly diagnostics: readonly Diagnostic[]
  readonly content?: {
    readonly text: string
    readonly bytes: Buffer
    readonly parsed: ParsedFrontmatter
    readonly identity: FileIdentity
  }
  /** Bytes of a file that could be read and not parsed. */
  readonly unread?: { readonly bytes: Buffer; readonly identity: FileIdentity }
}

/** Reads and checks one file. Anything but a file at `path` is a finding. */
export async function checkFile(path: string, options: CheckOptions): Promise<Checked> {
  const file = await readWholeFile(path, { signal: options.signal })
  if (file === undefined) return { diagnostics: [{ ...missing(path), path }] }
  if ('problem' in file) {
    const hint = hints[file.problem.code]
    return { diagnostics: [{ ...file.problem, ...(hint !== undefined && { hint }) }] }
  }
  const { bytes, identity } = file
  const { diagnostics, parsed } = await checkBytes(path, bytes, options)
  return parsed === undefined
    ? { diagnostics, unread: { bytes, identity } }
    : { diagnostics, content: { text: bytes.toString('utf8'), bytes, parsed, identity } }
}

/** Checks the bytes of a file. */
export async function checkBytes(
  path: string,
  bytes: Buffer,
  options: CheckOptions,
): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly parsed?: ParsedFrontmatter }> {
  const own = (found: readonly Diagnostic[]): Diagnostic[] => found.map(diagnostic => ({ ...diagnostic, path }))
  const place = own(checkPlace(path))
  const parsed = await parseHead(bytes, { whole: true, checkBody: true })
  if ('needMore' in parsed) throw new TypeError('A whole file cannot need more.')
  if (!parsed.ok) return { diagnostics: [...own(parsed.diagnostics), ...place] }

  const { fields, problems } = readFields(parsed.data, options.fields)
  const body = bytes.toString('utf8', parsed.bodyStart)
  const standard =
    options.standard === true && isSkillFile(path)
      ? checkStandard(parsed.data, { folderName: folderNameOf(path), bodyLines: linesOf(body), bodyChars: body.length })
      : []
  const text = bytes.toString('utf8')
  return {
    parsed,
    diagnostics: [
      ...own(parsed.diagnostics),
      ...own([...problems, ...standard].map(problem => describeProblem(problem, text))),
      ...own(checkHooks(fields.hooks, () => text)),
      ...own(checkTools(fields.allowedTools ?? [], () => text)),
      ...own(checkBody(body, parsed, fields, options)),
      ...own(checkPlaceholder(text, body, fields)),
      ...own(checkLinks(text, posix.dirname(path))),
      ...own(await checkQuoted(bytes, parsed.bodyStart, fields)),
      ...place,
    ],
  }
}

const hints: Readonly<Record<string, string>> = {
  'not-a-file': 'Put a regular file of that name in its place.',
  'file-too-large': 'Move details that are seldom needed into files beside SKILL.md.',
}

function missing(path: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'no-such-path',
    message: `${path} does not exist.`,
    hint: 'Check the path.',
  }
}

function folderNameOf(path: string): string {
  return path.split('/').at(-2) ?? ''
}

function linesOf(body: string): number {
  return body === '' ? 0 : body.split('\n').length
}
