import { isUtf8 } from 'node:buffer'
import { loadedEngine, type YamlRead, type YamlReading } from '../yaml/engine.js'
import { isSpecial, plainYaml, type PlainYaml } from './plain-yaml.js'
import { checkText } from './text-check.js'

/** Text of the first bytes of a file. */
export interface HeadText {
  readonly text: string
  readonly isUtf8: boolean
  /** True if the bytes are known to be UTF-8 without NUL. */
  readonly isSound?: boolean
}

/** Results for one kept file. */
interface KeptFile {
  readonly heads: Map<number, HeadText>
  digest?: string
}

/**
 * Keeps the results of reading files that depend only on their bytes, for several readers of the same files. Texts, YAML
 * and digests are made once. A store that keeps the bytes of a file registers them with `keep`, and never changes them.
 * For other bytes nothing is kept. All readers get the same values, so none may change them.
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
    const read = { ...headTextOf(head), isSound: checkText(head) === undefined }
    // A few programs need whole files, whose texts would take much memory.
    if (head.length <= mostKept) file?.heads.set(head.length, read)
    return read
  }

  /**
   * Returns the digest of a file.
   * @param make computes it
   */
  digest(bytes: Buffer, make: () => string): string {
    const file = bytes.length === bytes.buffer.byteLength ? this.#files.get(bytes.buffer) : undefined
    if (file === undefined) return make()
    return (file.digest ??= make())
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
      plain === undefined || isSpecial(plain.value)
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
  return { text: head.toString('utf8'), isUtf8: isUtf8(head) }
}
