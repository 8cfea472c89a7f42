import { after, type Answer, type StoreContent, type StoreStats } from '@skills/store'
import { setImmediate as turn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { checkText, firstHeading, firstParagraph, literalColons, parseHead, placeOfProblem, readFields, readFlatSkill, readLines, type FieldOptions, type FieldResult, type FlatSkill } from '@skills/skill-md'
import { readWholeFile, type FoundFile, type Stamp } from '@skills/fs'
import { FileCommand, pathName } from './file-command.js'
import { FileSkill, type GivenFields, type RootContext } from './file-skill.js'
import { checkLayout } from './check-layout.js'
import { checkNames, isPlainName, isSafeName } from './safe-name.js'
import { sidecarStamp } from './sidecar.js'
import type { FieldFinding, Layout } from './layout.js'
import type { Sidecar } from './sidecar-schema.js'
import { abortError, type Diagnostic, type FileIdentity } from '@skills/core'

/** Bytes that are asked for while the frontmatter does not end. Beyond its limit the parser says that it is too long. */
const mostFrontmatter = 64 * 1024 + 4096

interface ParsedBlock extends FieldResult {
  readonly bodyStart: number
  /** Lines with fields that were left unread. */
  readonly rest?: string
}

/** What the entries of one root share. */
export interface ReadContext extends RootContext {
  readonly fields: FieldOptions | undefined
  readonly holds: 'skills' | 'commands'
  /** Says why a file may not be loaded; undefined when it may. */
  readonly refuse?: (file: FoundFile, stats: StoreStats) => Diagnostic | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Whether the path of a file names its command, as it does in folders of commands and of plugins. */
export function isNamedByPath({ root, holds }: ReadContext): boolean {
  return holds === 'commands' || root.plugin !== undefined
}

/** A file with the name that its path gives it. */
export function namedAs({ path, identity }: FoundFile, { root }: ReadContext): FoundFile {
  return new NamedFile(pathName(root, path), path, identity)
}

/** A file by another name. Few ask for its folder, which is a text to be made. */
class NamedFile implements FoundFile {
  readonly name: string
  readonly path: string
  readonly identity: FileIdentity

  constructor(name: string, path: string, identity: FileIdentity) {
    this.name = name
    this.path = path
    this.identity = identity
  }

  get folder(): string {
    return this.path.slice(0, this.path.lastIndexOf('/'))
  }
}

/** A skill file that gave a sound skill at once, which is most of them, or one that takes more: a record of its own. */
export type SkillItem = FileSkill | SkillEntry

/** Reads the head of a skill file; undefined asks for more of it. */
export function readSkill(file: FoundFile, head: StoreContent, context: ReadContext): SkillItem | undefined {
  const refusal = context.refuse?.(file, head.stats)
  if (refusal !== undefined) return refusedEntry(file, context, refusal)
  if (context.layout?.dialect === 'lines') return readLineSkill(file, head, context)
  const read = asText(head, context)
  const flat = readQuickly(read, context)
  const sidecar = context.root.hasSidecars === true ? sidecarStamp(file.folder, context) : undefined
  if (flat === undefined || sidecar !== undefined) {
    if (flat === undefined && !head.isWhole && head.length < mostFrontmatter && isOpen(head)) return undefined
    return new SkillEntry(file, context, sidecar, { bytes: Buffer.from(head.bytes.subarray(0, head.length)), isWhole: head.isWhole })
  }
  const made = makeSkill(file, flat, none, read, context, false)
  if (made === undefined || made.problems === none) return made?.command
  const entry = new SkillEntry(file, context, sidecar)
  entry.command = made.command
  entry.problems = made.problems
  return entry
}

/** The first bytes of a file, as they are read. */
interface ReadHead extends Pick<StoreContent, 'bytes' | 'length' | 'isWhole'> {
  /** Bytes that the block has more than in the file. */
  readonly added?: number
}

/** The head, with values that hold a colon as texts where the layout says so. */
function asText(head: ReadHead, { layout }: ReadContext): ReadHead {
  const bytes = layout?.dialect === 'colons' ? literalColons(head.bytes, head.length) : undefined
  return bytes === undefined ? head : { bytes, length: bytes.length, isWhole: head.isWhole, added: bytes.length - head.length }
}

function readQuickly({ bytes, length, isWhole }: ReadHead, { root: { adapt, adapts }, layout, fields }: ReadContext): FlatSkill | undefined {
  // An adapter and a layout look at fields that could otherwise wait.
  const mayWait = layout?.required === undefined && (adapt === undefined || adapts === 'references')
  const flat = readFlatSkill(bytes, length, isWhole, fields, mayWait)
  return adapt !== undefined && flat?.rest?.includes('${') === true ? readFlatSkill(bytes, length, isWhole, fields) : flat
}

function refusedEntry(file: FoundFile, context: ReadContext, refusal: Diagnostic): SkillEntry {
  const entry = new SkillEntry(file, context, undefined)
  entry.problems = [refusal]
  return entry
}

/** The same for frontmatter in lines, which no parser has to be loaded for. */
function readLineSkill(file: FoundFile, head: StoreContent, context: ReadContext): SkillItem | undefined {
  const read = readLines(head.bytes, head.length, head.isWhole)
  if (read === undefined) return undefined
  const broken = checkText(head.bytes.subarray(0, head.isWhole ? head.length : read.bodyStart))
  const entry = new SkillEntry(file, context, undefined)
  if (broken !== undefined) {
    entry.problems = placed(file, [broken])
    return entry
  }
  const made = makeSkill(file, { ...readFields(read.data, context.fields), bodyStart: read.bodyStart }, none, head, context, false)
  if (made === undefined || (made.command !== undefined && made.problems === none)) return made?.command
  entry.command = made.command
  entry.problems = made.problems
  return entry
}

/** A skill file with problems, or one that only the full parser or a file beside it can tell about. */
export class SkillEntry {
  command: FileSkill | undefined
  problems: readonly Diagnostic[] = none
  /** The state of the file beside it, if there is one, when this was read. */
  sidecar: Stamp | undefined
  file: FoundFile
  readonly #digest: number
  /** The head of the file until {@link settle} has read it. */
  #pending: { readonly bytes: Buffer; readonly isWhole: boolean } | undefined
  readonly #context: ReadContext
  /** The state of the file beside it, until it is told. */
  #awaited: Promise<Stamp | undefined> | undefined
  /** Of a sidecar that had just been written when it was read. */
  #saysStill: Sidecar['saysStill'] | undefined

  /** @param read what is still to be parsed */
  constructor(file: FoundFile, context: ReadContext, sidecar: Answer<Stamp | undefined>, read?: { readonly bytes: Buffer; readonly isWhole: boolean }) {
    // Lent for the call, so copied field by field: its folder is not one of its own.
    this.file = { name: file.name, folder: file.folder, path: file.path, identity: file.identity }
    if (sidecar instanceof Promise) this.#awaited = sidecar
    else this.sidecar = sidecar
    this.#context = context
    this.#pending = read
    this.#digest = read === undefined ? 0 : digestOf(read.bytes)
  }

  get isPending(): boolean {
    return this.#pending !== undefined
  }

  /** Whether another reading was of the same bytes, at one moment of the file. */
  isSameReading(other: SkillEntry): boolean {
    return other.#awaited === undefined && this.hasSidecar(other.sidecar) && this.#digest === other.#digest && isDeepStrictEqual(this.file.identity, other.file.identity)
      && (this.#digest !== 0 || (isDeepStrictEqual(this.command?.toJSON(), other.command?.toJSON()) && isDeepStrictEqual(this.problems, other.problems)))
  }

  /** Whether this is the file beside it that was read. */
  hasSidecar(stamp: Stamp | undefined): boolean {
    const { sidecar } = this
    return sidecar?.text === stamp?.text && (sidecar?.isSettled !== false || this.#saysStill?.() === true)
  }

  /** Finishes a pending entry with the full parser. */
  async settle(signal: AbortSignal): Promise<void> {
    const pending = this.#pending
    if (pending === undefined) return
    const { root: { within }, catalogStore: store } = this.#context
    if (this.#awaited !== undefined) this.sidecar = await this.#awaited
    this.#awaited = undefined
    const sidecar = this.sidecar === undefined ? undefined : await (await import('./sidecar-schema.js')).readSidecar(this.file.folder, this.file.name, { within, store })
    if (this.sidecar?.isSettled === false) this.#saysStill = sidecar?.saysStill
    if (!await this.#parse(pending, sidecar)) {
      // The head ends too early after all: where a comment precedes the block, or the first paragraph is long.
      const whole = await readWholeFile(this.file.path, { within, signal, store })
      if (whole !== undefined && 'problem' in whole) this.problems = [{ ...whole.problem, name: this.file.name }]
      else if (whole !== undefined) {
        // The file may be another one by now.
        this.file = { ...this.file, identity: { ...whole.identity, realPath: this.file.identity.realPath } }
        await this.#parse({ bytes: whole.bytes, isWhole: true }, sidecar)
      }
    }
    this.#pending = undefined
  }

  /** False when there is not enough of the file. */
  async #parse({ bytes, isWhole }: { readonly bytes: Buffer; readonly isWhole: boolean }, sidecar: Sidecar | undefined): Promise<boolean> {
    const read = asText({ bytes, length: bytes.length, isWhole }, this.#context)
    const parsed = await parseHead(read.bytes, { whole: isWhole })
    if ('needMore' in parsed) return false
    if (!parsed.ok) {
      this.problems = placed(this.file, parsed.diagnostics)
      return true
    }
    const { fields: options } = this.#context
    const block = { ...readFields(parsed.data, options), bodyStart: parsed.bodyStart }
    const made = makeSkill(this.file, block, parsed.diagnostics, read, this.#context, sidecar?.isModelBarred === true)
    if (made === undefined) return false
    this.command = made.command
    this.problems = sidecar === undefined ? made.problems : [...made.problems, ...sidecar.problems]
    return true
  }
}

/** Whether the files beside a skill file are as they were when it was read. */
export function isCurrent(item: SkillItem, context: ReadContext): Answer<boolean> {
  if (context.root.hasSidecars !== true) return true
  const isSkill = item instanceof FileSkill
  return after(sidecarStamp(isSkill ? item.folder : item.file.folder, context), stamp => isSkill ? stamp === undefined : item.hasSidecar(stamp))
}

/** Whether two readings of one file, at one moment of it, say the same. */
export function isSameReading(a: SkillItem, b: SkillItem): boolean {
  if (a instanceof FileSkill) return b instanceof FileSkill && isDeepStrictEqual(a.toJSON(), b.toJSON())
  if (b instanceof FileSkill) return false
  return a.isSameReading(b)
}

interface MadeSkill {
  /** Undefined when there is an error among the problems. */
  readonly command: FileSkill | undefined
  readonly problems: readonly Diagnostic[]
}

/** Makes the command; undefined when the description must come from a paragraph that does not end in these bytes. */
function makeSkill(file: FoundFile, { fields, problems: ownProblems, bodyStart, rest }: ParsedBlock, diagnostics: readonly Diagnostic[], head: ReadHead, context: ReadContext, isModelBarred: boolean): MadeSkill | undefined {
  const adapted = context.root.adapt?.(fields, file) ?? none
  const start = bodyStart - (head.added ?? 0)
  const wrong = context.layout === undefined ? none : checkLayout(file, fields, start, context.layout, ownProblems)
  const problems = adapted.length + wrong.length === 0 ? ownProblems : [...ownProblems, ...adapted, ...wrong]
  const { from, otherwise = file.name } = context.layout?.fallback ?? byParagraph
  let fallback = ''
  if (fields.description === undefined && from === 'nothing') fallback = otherwise
  else if (fields.description === undefined) {
    const body = head.bytes.toString('utf8', bodyStart, head.length)
    const first = from === 'heading' ? firstHeading : firstParagraph
    const text = first(body)
    if (!head.isWhole && head.length < mostFrontmatter && !isComplete(text, body, first)) return undefined
    // Copied, since a part of a text keeps the whole of it in memory.
    fallback = Buffer.from(text ?? otherwise).toString()
  }
  const displayName = fields.name ?? file.name
  let found: readonly Diagnostic[] = none
  const { aliases = none } = fields
  // A part of the block's text, which would be kept besides the name that is there already.
  if (displayName === file.name && fields.name !== undefined) fields.name = file.name
  const arePlain = aliases.length === 0 && isPlainName(displayName) && (displayName === file.name || isPlainName(file.name))
  const nameProblems = arePlain ? none : checkNames(file, displayName, aliases)
  if (problems.length + diagnostics.length + nameProblems.length > 0) {
    const text = head.bytes.toString('utf8', 0, bodyStart)
    found = [
      ...placed(file, diagnostics), ...problems.map(problem => fieldDiagnostic(file, problem, text, context)),
      ...placed(file, nameProblems.map(problem => problem.field === undefined ? problem : { ...problem, ...placeOfProblem(text, { ...problem, keyPath: [problem.field] }) })),
    ]
    if (found.some(({ severity }) => severity === 'error')) return { command: undefined, problems: found }
    if (!isSafeName(displayName)) delete fields.name
    if (aliases.length > 0) fields.aliases = aliases.filter(isSafeName)
  }
  if (isModelBarred) fields.disableModelInvocation = true
  const given: { -readonly [Name in keyof GivenFields]: GivenFields[Name] } = fields
  // Into the object that was made for this file: a copy of each would be a good part of the work.
  if (rest !== undefined) given.rest = rest
  return { command: skillOf(file, given, fallback, start, context), problems: found }
}

/** The command of a file's parts. */
export function skillOf(file: FoundFile, fields: GivenFields, fallback: string, bodyStart: number, context: ReadContext): FileSkill {
  const isByField = context.layout?.names === 'field' && fields.name !== undefined && context.holds !== 'commands'
  // The file is lent, and its folder is not one of its own.
  const found = isByField ? { name: fields.name ?? file.name, folder: file.folder, path: file.path, identity: file.identity } : file
  return new (context.holds === 'commands' ? FileCommand : FileSkill)(context, found, fields, fallback, bodyStart)
}

function placed(file: FoundFile, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map(diagnostic => ({ ...diagnostic, path: file.path, name: file.name }))
}

function fieldDiagnostic(file: FoundFile, finding: FieldFinding, text: string, { layout }: ReadContext): Diagnostic {
  const { severity, code, field, message: said, hint, length } = finding
  const reason = layout?.reasons?.[code]
  const message = reason === undefined ? said : `${reason.replace('{length}', String(length))}: ${said}`
  return { severity, type: 'validation', code, field, message, ...(hint === undefined ? {} : { hint }), path: file.path, name: file.name, ...placeOfProblem(text, finding) }
}

const none: readonly never[] = Object.freeze([])

/**
 * Puts what a load needs in order: entries that the flat path could not read go through the full parser, a slice at a time.
 * @param onTurn called after each slice
 */
export async function settleEntries(items: readonly SkillItem[], signal: AbortSignal, onTurn: () => void = () => {}): Promise<void> {
  // Collecting so many was a slice of its own, and so is what becomes of them.
  if (items.length > many) await turn()
  const pending = items.filter(item => item instanceof SkillEntry).filter(entry => entry.isPending)
  if (pending.length === 0) return
  let sliceEnd = performance.now() + sliceMs
  for (const entry of pending) {
    if (signal.aborted) throw abortError(signal)
    await entry.settle(signal)
    if (performance.now() < sliceEnd) continue
    await turn()
    onTurn()
    sliceEnd = performance.now() + sliceMs
  }
}

/** Never 0, which stands for: nothing was pending. */
function digestOf(bytes: Buffer): number {
  let digest = 0x811c9dc5
  for (const byte of bytes) digest = Math.imul(digest ^ byte, 0x01000193)
  return digest === 0 ? 1 : digest
}

/** Milliseconds of uninterrupted parsing. */
const sliceMs = 4

/** Entries that take a millisecond or more to go through. */
const many = 1000

/** Whether a block begins and does not end in these bytes. */
function isOpen({ bytes, length }: ReadHead): boolean {
  const start = bytes.indexOf('---')
  if (start < 0 || start > 3) return false
  const end = bytes.indexOf('\n---', start + 3)
  return end < 0 || end + 4 > length
}

/** Whether a paragraph is the first one whatever follows the text: more of it then changes nothing. */
function isComplete(found: string | undefined, body: string, first: (body: string) => string | undefined): boolean {
  return found !== undefined && first(`${body}x`) === found
}

const byParagraph: NonNullable<Layout['fallback']> = { from: 'paragraph' }
