import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { loadedEngine, type YamlRead, type YamlReading } from '../yaml/engine.js'
import { readQuickBlock } from './quick.js'
import { checkText } from './text-check.js'

/** Text of the first bytes of a file. */
export interface HeadText {
  readonly text: string
  readonly isUtf8: boolean
  /** True if the bytes are UTF-8 without NUL. */
  readonly isSound: boolean
}

/** YAML whose structure is the same for every {@link YamlReading}. */
interface PlainYaml {
  readonly value: unknown
  /** True if one of the texts may be read as another type. */
  readonly isTyped: boolean
}

/** Text that `dates` or `merges` concern, or that YAML 1.1 reads in another way. */
const special = /^(?:\d{4}-|<<$|[-+]?0o|[-+]?\d[\d_]*[:_])/

/** Results for one kept file. */
interface KeptFile {
  readonly heads: Map<number, HeadText>
  digest?: string
}

/**
 * Keeps the results of reading files that depend only on their bytes, for several readers of the same files. Texts, YAML
 * and digests are made once. Whoever keeps a file's bytes registers them with `keep` and never changes them; for other
 * bytes nothing is kept. Values are shared, so no reader may change them.
 */
export class SharedReading {
  readonly #files = new WeakMap<ArrayBufferLike, KeptFile>()
  /** YAML by its text, with one line feed at its end and none at its beginning. */
  readonly #plain = new Map<string, PlainYaml | undefined>()
  /** YAML with values that depend on the reading, by the reading. */
  readonly #others = new Map<string, Map<string, YamlRead>>()

  /** Registers bytes that are alone in their buffer and will not change. */
  keep(bytes: Buffer): void {
    if (bytes.length === bytes.buffer.byteLength) this.#files.set(bytes.buffer, { heads: new Map() })
  }

  isKept(bytes: Buffer): boolean {
    return this.#files.has(bytes.buffer)
  }

  /** Returns the text of bytes that begin where a file begins. */
  headText(head: Buffer): HeadText {
    const file = head.byteOffset === 0 ? this.#files.get(head.buffer) : undefined
    const known = file?.heads.get(head.length)
    if (known !== undefined) return known
    const read = headTextOf(head)
    // A few programs need whole files, whose texts would take much memory.
    if (head.length <= mostKept) file?.heads.set(head.length, read)
    return read
  }

  /** Returns the SHA-256 of a file in hexadecimal. */
  digest(bytes: Buffer): string {
    const file = bytes.length === bytes.buffer.byteLength ? this.#files.get(bytes.buffer) : undefined
    if (file === undefined) return sha256(bytes)
    return (file.digest ??= sha256(bytes))
  }

  /** Returns YAML as {@link plainYaml} reads it. */
  plain(block: string): PlainYaml | undefined {
    const text = evenly(block)
    if (this.#plain.has(text)) return this.#plain.get(text)
    const read = plainYaml(text)
    // The library may be loaded later.
    if (read !== undefined || loadedEngine() !== undefined) this.#plain.set(text, read)
    return read
  }

  /**
   * Reads a block whose values depend on the reading.
   * @param load calls the library
   */
  other(block: string, reading: YamlReading, load: (reading: YamlReading) => YamlRead): YamlRead {
    const plain = this.plain(block)
    // Without tags, aliases and so on, a reading has two choices: whether scalars have types, and which.
    const least: YamlReading =
      plain === undefined || someText(plain.value, text => special.test(text))
        ? reading
        : { scalars: reading.scalars === 'text' ? 'text' : 'typed' }
    const key = JSON.stringify(Object.entries(least).toSorted())
    const blocks = this.#others.get(key) ?? new Map<string, YamlRead>()
    this.#others.set(key, blocks)
    const text = plain === undefined ? block : evenly(block)
    const read = blocks.get(text) ?? load(least)
    blocks.set(text, read)
    return read
  }
}

/** Returns a block with a line feed at its end and none at its beginning, which have no meaning. */
function evenly(block: string): string {
  const start = block.startsWith('\n') ? 1 : 0
  return /[\n\r]$/.test(block) ? block.slice(start) : `${block.slice(start)}\n`
}

/** Most bytes of a head whose text is kept. */
const mostKept = 4096

export function headTextOf(head: Buffer): HeadText {
  return { text: head.toString('utf8'), isUtf8: isUtf8(head), isSound: checkText(head) === undefined }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Reads YAML without the library, with scalars as texts. Returns undefined if the result is not certain. */
export function quickYaml(block: string): PlainYaml | undefined {
  const value = readQuickBlock(block)
  return value === undefined || hasTypedKey(value) ? undefined : { value, isTyped: mayBeTyped(value) }
}

/**
 * Reads YAML whose structure is the same for every {@link YamlReading}: it has no tag, alias, merge key or key that is
 * given twice. Scalars stay texts. Returns undefined for other YAML, and if the library is needed and not loaded.
 */
function plainYaml(block: string): PlainYaml | undefined {
  const quick = quickYaml(block)
  if (quick !== undefined) return quick
  const read = loadedEngine()?.loadAs(block, 0, { scalars: 'text', strictIndent: true })
  return read?.ok === true && typeof read.value === 'object' && read.value !== null && !hasTypedKey(read.value)
    ? { value: read.value, isTyped: mayBeTyped(read.value) }
    : undefined
}

/** Number, boolean, date, merge key and the like; `1.2.3` is none of these. */
const typed = /^(?:[-+]?(?:\.inf|\.nan|0[box]\w*|[\d_]*\.?[\d_]*(?:e[-+]?\d*)?|\d[\d_:.]*)|\d{4}-.*|true|false|<<)$/is

/** Returns true if a program may take one of the texts for another type. */
function mayBeTyped(value: unknown): boolean {
  return someText(value, text => typed.test(text))
}

function someText(value: unknown, is: (text: string) => boolean): boolean {
  if (typeof value === 'string') return is(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(one => someText(one, is))
}

/** Returns true if a program may take one of the keys for another type, so that it becomes another text. */
function hasTypedKey(value: object): boolean {
  return (
    (!Array.isArray(value) && Object.keys(value).some(key => typed.test(key))) ||
    Object.values(value).some(one => typeof one === 'object' && one !== null && hasTypedKey(one))
  )
}
