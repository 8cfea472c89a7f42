import { setImmediate as turn } from 'node:timers/promises'
import { SkillsError, type Diagnostic } from '@skills/core'
import { fieldTable } from '@skills/core/fields'
import type { FieldName } from '@skills/core/internal'
import { readFields } from '../fields/read-fields.js'
import { firstHeading, firstLine, firstParagraph } from '../fields/paragraph.js'
import { literalColons } from '../parse/literal-colons.js'
import { readQuickHead } from '../parse/quick.js'
import { readLines } from '../parse/read-lines.js'
import { checkText } from '../parse/text-check.js'
import { checkLayout } from './check-layout.js'
import { checkNames, isPlainName, isSafeName } from './safe-name.js'
import { bufferOf, SkillCommand, type SkillContext, type SkillReading } from './skill-command.js'
import type { FieldOptions } from '../fields/field-types.js'
import type { FrontmatterReader } from '../parse/own-frontmatter.js'
import type { SharedReading } from '../parse/shared-reading.js'
import type { FrontmatterData } from '../types.js'
import type { Sidecar } from './plain.js'
import type { FieldFinding, SkillFile, SkillLayout, SkillOrigin, SkillPlace } from './origin.js'

const none: readonly never[] = Object.freeze([])
const nothing: SkillReading = Object.freeze({ command: undefined, diagnostics: none })

/**
 * Most bytes that are read while the frontmatter does not end. At its own limit the parser reports that it is too long.
 */
const mostFrontmatter = 64 * 1024 + 4096

/**
 * Makes a command from the bytes of a skill file, and reports problems, exactly as a file source does when it lists.
 * Returns the result at once if that needs neither a library nor more of the file, as for nearly every file; otherwise
 * returns a promise.
 * @param bytes the file from its first byte on: all of it, or its head if `size` or `identity` says that there is more
 *   and `read` gives it
 * @throws SkillsError `E_INVALID_OPTION` if the bytes are a head and there is no `read`. See docs/reference/fields.md,
 *   "Frontmatter".
 */
export function commandOf(
  bytes: Uint8Array,
  origin: SkillOrigin,
  signal?: AbortSignal,
): SkillReading | Promise<SkillReading> {
  return commandReader(origin)(bytes, origin, signal)
}

/** Makes a function that reads many files of one place like {@link commandOf}. */
export function commandReader(
  place: SkillPlace,
): (bytes: Uint8Array, file: SkillFile, signal?: AbortSignal) => SkillReading | Promise<SkillReading> {
  const reader = new Reader(place)
  return (bytes, file, signal) => reader.read(bytes, file, signal)
}

let commandFields: readonly FieldName[] | undefined

/**
 * Returns the options for fields. A prompt in a `commands` folder has no `name` and no `paths`: its place names it, and
 * it is always active.
 */
function optionsOf({ holds, fields }: SkillLayout): FieldOptions | undefined {
  if (holds !== 'commands') return fields
  commandFields ??= fieldTable.map(({ name }) => name).filter(name => name !== 'name' && name !== 'paths')
  return { ...fields, only: fields?.only?.filter(name => commandFields?.includes(name)) ?? commandFields }
}

/** Next thing that reading needs: the full parser, its YAML library, or more of the file. */
type Missing = 'parser' | 'library' | 'more'

let plain: typeof import('./plain.js') | undefined

/** Frontmatter that was read. */
interface Block {
  readonly data: FrontmatterData
  readonly bodyStart: number
  readonly diagnostics?: readonly Diagnostic[]
}

class Reader {
  readonly #place: SkillPlace
  readonly #layout: SkillLayout
  readonly #fields: FieldOptions | undefined
  readonly #context: SkillContext

  constructor(place: SkillPlace) {
    this.#place = place
    this.#layout = place.layout ?? {}
    this.#fields = optionsOf(this.#layout)
    this.#context = { place, reread: (bytes, file, signal) => this.read(bytes, file, signal) }
  }

  read(bytes: Uint8Array, file: SkillFile, signal: AbortSignal | undefined): SkillReading | Promise<SkillReading> {
    const size = file.size ?? file.identity?.size ?? bytes.length
    const head = bufferOf(bytes)
    const isWhole = bytes.length >= size
    const read = this.#make(head, isWhole, file, size)
    if (typeof read !== 'string') return this.#kept(read, head)
    // The file and the head are lent, so they are copied.
    const { name, path, identity, digest, sidecar } = file
    return this.#goOn(
      read,
      Buffer.from(head),
      isWhole,
      { name, path, identity, digest, sidecar, size },
      signal ?? new AbortController().signal,
    )
  }

  /** Keeps the bytes in the command if there is no other way to get them. */
  #kept(read: SkillReading, bytes: Buffer): SkillReading {
    if (this.#place.read === undefined && read.command !== undefined)
      SkillCommand.withBytes(read.command, Buffer.from(bytes))
    return read
  }

  async #goOn(
    missing: Missing,
    head: Buffer,
    wasWhole: boolean,
    given: SkillFile,
    signal: AbortSignal,
  ): Promise<SkillReading> {
    let [file, bytes, isWhole] = [given, head, wasWhole]
    for (let next: SkillReading | Missing = missing; ;) {
      if (next === 'parser') plain = await import('./plain.js')
      else if (next === 'library') await plain?.loadParser()
      else if (next === 'more') {
        // The head is too short, for example because a comment precedes the block or the first paragraph is long.
        if (isWhole || this.#place.read === undefined) {
          throw new SkillsError(
            'E_INVALID_OPTION',
            `Only the first ${bytes.length} bytes of ${file.path ?? file.name} were given, and the rest cannot be read.`,
            { hint: 'Give the whole file, or a `read` function.' },
          )
        }
        // The walk that gave the head continues first, so that thousands of such files are not all read at the same
        // time.
        await turn()
        const whole = await this.#place.read(file, { signal, for: 'list' })
        if (whole === undefined) return nothing
        if ('problem' in whole) return { command: undefined, diagnostics: [{ ...whole.problem, name: file.name }] }
        // The file may have been replaced by now.
        file = {
          ...file,
          identity: file.identity && { ...file.identity, ...whole.identity, realPath: file.identity.realPath },
          size: whole.bytes.length,
          sidecar: whole.sidecar ?? file.sidecar,
        }
        bytes = bufferOf(whole.bytes)
        isWhole = true
      } else return this.#kept(next, bytes)
      next = this.#make(bytes, isWhole, file, file.size ?? bytes.length)
    }
  }

  #make(bytes: Buffer, isWhole: boolean, file: SkillFile, size: number): SkillReading | Missing {
    const { dialect } = this.#layout
    // If the layout says so, values with a colon are text.
    const literal = dialect === 'colons' ? literalColons(bytes, bytes.length) : undefined
    const read = literal ?? bytes
    const block = this.#blockIn(read, isWhole)
    if (typeof block === 'string') return block
    if ('needMore' in block) return 'more'
    if ('problems' in block) return { command: undefined, diagnostics: placed(file, block.problems) }
    if (file.sidecar !== undefined && plain === undefined) return 'parser'
    const sidecar = file.sidecar && plain?.readSidecar(file.sidecar, file.name)
    if (file.sidecar !== undefined && sidecar === undefined) return 'library'
    const { product } = this.#layout
    if (sidecar !== undefined && product !== undefined && sidecar.products.length > 0) {
      if (!sidecar.products.includes(product))
        return { command: undefined, diagnostics: [otherProduct(file, sidecar.products)] }
    }
    return this.#commandOf(block, read, isWhole, read.length - bytes.length, file, size, sidecar)
  }

  #blockIn(bytes: Buffer, isWhole: boolean): Block | Unread | Missing {
    const { dialect } = this.#layout
    if (typeof dialect === 'function')
      return ownBlockOf(dialect, bytes, isWhole, this.#place.shared, this.#layout.names === 'field')
    return dialect === 'lines' ? blockOfLines(bytes, isWhole) : blockOf(bytes, isWhole)
  }

  /** @param added number of bytes that the block has more than in the file */
  #commandOf(
    { data, bodyStart, diagnostics = none }: Block,
    bytes: Buffer,
    isWhole: boolean,
    added: number,
    file: SkillFile,
    size: number,
    sidecar: Sidecar | undefined,
  ): SkillReading | Missing {
    const layout = this.#layout
    const { fields, problems: ownProblems } = readFields(data, this.#fields)
    const adapted = this.#place.adapt?.(fields, file) ?? none
    const wrong = checkLayout(file.name, size, fields, bodyStart - added, layout, ownProblems)
    const problems = adapted.length + wrong.length === 0 ? ownProblems : [...ownProblems, ...adapted, ...wrong]
    const fallback = fields.description === undefined ? fallbackOf(bytes, bodyStart, isWhole, layout, file.name) : ''
    if (fallback === undefined) return 'more'
    const displayName = fields.name ?? file.name
    // The name in the block would keep the block's text in memory, and an equal one exists already.
    if (displayName === file.name && fields.name !== undefined) fields.name = file.name
    const { aliases = none } = fields
    const arePlain =
      aliases.length === 0 && isPlainName(displayName) && (displayName === file.name || isPlainName(file.name))
    const nameProblems = arePlain ? none : checkNames(file.name, displayName, aliases)
    let found: readonly Diagnostic[] = sidecar?.problems ?? none
    if (problems.length + diagnostics.length + nameProblems.length > 0) {
      if (plain === undefined) return 'parser'
      const { placeOfProblem } = plain
      const text = bytes.toString('utf8', 0, bodyStart)
      found = [
        ...placed(file, diagnostics),
        ...problems.map(problem => this.#diagnosticOf(file, problem, text)),
        ...placed(
          file,
          nameProblems.map(problem =>
            problem.field === undefined
              ? problem
              : { ...problem, ...placeOfProblem(text, { ...problem, keyPath: [problem.field] }) },
          ),
        ),
        ...found,
      ]
      if (found.some(({ severity }) => severity === 'error')) return { command: undefined, diagnostics: found }
      if (!isSafeName(displayName)) delete fields.name
      if (aliases.length > 0) fields.aliases = aliases.filter(isSafeName)
    }
    if (sidecar?.isModelBarred === true) fields.disableModelInvocation = true
    const isByField = layout.names === 'field' && fields.name !== undefined && layout.holds !== 'commands'
    const named = isByField
      ? { name: fields.name ?? file.name, path: file.path ?? file.name, identity: file.identity, digest: file.digest }
      : file
    return {
      command: new SkillCommand(this.#context, named, fields, fallback, bodyStart - added, size),
      diagnostics: found,
    }
  }

  #diagnosticOf(file: SkillFile, finding: FieldFinding, text: string): Diagnostic {
    const { severity, code, field, message: said, hint, length } = finding
    const reason = this.#layout.reasons?.[code]
    const message = reason === undefined ? said : `${reason.replace('{length}', String(length))}: ${said}`
    return {
      severity,
      type: 'validation',
      code,
      field,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...placeOf(file),
      ...plain?.placeOfProblem(text, finding),
    }
  }
}

function otherProduct(file: SkillFile, products: readonly string[]): Diagnostic {
  return {
    severity: 'warning',
    type: 'validation',
    code: 'other-product',
    ...placeOf(file),
    message: `It is for ${products.join(', ')} alone, as \`policy.products\` of ${file.sidecar?.path} says.`,
    hint: 'Add this product to `policy.products`, or remove that list.',
  }
}

type Unread = { readonly needMore: true } | { readonly problems: readonly Diagnostic[] }

function blockOf(bytes: Buffer, isWhole: boolean): Block | Unread | Missing {
  const quick = readQuickHead(bytes, isWhole)
  if (quick !== undefined) return quick
  if (plain === undefined) return 'parser'
  const read = plain.readHead(bytes, { whole: isWhole })
  if (read === undefined) return 'library'
  return 'needMore' in read || read.ok ? read : { problems: read.diagnostics }
}

/** Reads frontmatter with another program's reader. */
function ownBlockOf(
  reader: FrontmatterReader,
  bytes: Buffer,
  isWhole: boolean,
  shared: SharedReading | undefined,
  givesName: boolean,
): Block | Unread | Missing {
  if (plain === undefined) return 'parser'
  return plain.readOwn(reader, bytes, isWhole, shared, givesName) ?? 'library'
}

/** Reads frontmatter in lines, which needs no parser. */
function blockOfLines(bytes: Buffer, isWhole: boolean): Block | Unread {
  const read = readLines(bytes, bytes.length, isWhole)
  if (read === undefined) return { needMore: true }
  const broken = checkText(bytes.subarray(0, isWhole ? bytes.length : read.bodyStart))
  return broken === undefined ? read : { problems: [broken] }
}

/**
 * Returns the text in place of a missing description. Returns undefined if it must come from a paragraph that does not
 * end in these bytes.
 */
function fallbackOf(
  bytes: Buffer,
  bodyStart: number,
  isWhole: boolean,
  { fallback }: SkillLayout,
  name: string,
): string | undefined {
  const { from, otherwise = name } = fallback ?? { from: 'paragraph' }
  if (from === 'nothing') return otherwise
  const body = bytes.toString('utf8', bodyStart)
  const first = { heading: firstHeading, line: firstLine, paragraph: firstParagraph }[from]
  const text = first(body)
  // The paragraph is complete if adding more text does not change it.
  if (!isWhole && bytes.length < mostFrontmatter && (text === undefined || first(`${body}x`) !== text)) return undefined
  // Copied, because a part of a text keeps the whole text in memory.
  return Buffer.from(text ?? otherwise).toString()
}

function placed(file: SkillFile, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(diagnostic => ({ ...diagnostic, ...placeOf(file) }))
}

function placeOf({ name, path = name }: SkillFile): Pick<Diagnostic, 'path' | 'name'> {
  return { path, name }
}
