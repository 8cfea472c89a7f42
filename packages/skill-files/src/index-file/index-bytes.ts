import { stampsOfFile } from '@skills/fs'

/** What an index holds of a tree; every figure is that of one file, and files are counted by the tree's shape. */
export interface IndexContent {
  /** Says all that decides what reading the files gives. An index with another key is another index. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly savedAt: number
  /** The shape of the tree, and where its root is. */
  readonly tree: string
  /** Of each file as many as `stampsOfFile`. */
  readonly stamps: Float64Array
  /** Of each file as many as {@link columns}. */
  readonly figures: Uint32Array
  /** The texts of each file after those of the one before. UTF-8. */
  readonly texts: Buffer
}

/** Of each file: where its body starts, and the bytes of its description, late fields, early fields and of what is special about it. */
export const columns = 5

const magic = Buffer.from('skills index 1\n\0', 'latin1')
/** Tells a machine that has the bytes of a number the other way round. */
const order = 0x01020304
const headBytes = 56
const checksumAt = 5

/** The numbers behind the magic: byte order, checksum, length of all, of the key and of the tree, files, length of the texts, nothing. */
const numbers = 8

/** The bytes of an index. */
export function encodeIndex({ key, savedAt, tree, stamps, figures, texts }: IndexContent): Buffer {
  const [keyBytes, treeBytes] = [Buffer.from(key), Buffer.from(tree)]
  const count = stamps.length / stampsOfFile
  const length = headBytes + stamps.byteLength + figures.byteLength + keyBytes.length + treeBytes.length + texts.length
  // Whole pairs of words, so that the checksum need not care for a rest. Memory of its own, so that every part may be seen as numbers.
  const bytes = Buffer.from(new ArrayBuffer(Math.ceil(length / 8) * 8))
  magic.copy(bytes)
  const head = new Uint32Array(bytes.buffer, bytes.byteOffset + magic.length, numbers)
  head.set([order, 0, bytes.length, keyBytes.length, treeBytes.length, count, texts.length])
  new Float64Array(bytes.buffer, bytes.byteOffset + headBytes - 8, 1)[0] = savedAt
  let at = headBytes
  for (const part of [bytesOf(stamps), bytesOf(figures), keyBytes, treeBytes, texts]) {
    bytes.set(part, at)
    at += part.length
  }
  head[1] = checksum(bytes)
  return bytes
}

/** What these bytes hold, which must start where memory does; undefined when they are not all of an index of this format and key. */
export function decodeIndex(bytes: Buffer, key: string): IndexContent | undefined {
  if (bytes.length < headBytes || bytes.length % 8 !== 0 || magic.compare(bytes, 0, magic.length) !== 0) return undefined
  const [isOurs, sum, length, ofKey = 0, ofTree = 0, count = 0, ofTexts = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset + magic.length, numbers)
  if (isOurs !== order || length !== bytes.length) return undefined
  const figuresAt = headBytes + count * stampsOfFile * 8
  const keyAt = figuresAt + count * columns * 4
  const treeAt = keyAt + ofKey
  const textsAt = treeAt + ofTree
  const end = textsAt + ofTexts
  if (end > bytes.length || bytes.length - end > 7) return undefined
  // Another key is found before everything is added up.
  if (bytes.toString('utf8', keyAt, treeAt) !== key || sum !== checksum(bytes)) return undefined
  const [savedAt = Number.NaN] = new Float64Array(bytes.buffer, bytes.byteOffset + headBytes - 8, 1)
  const figures = new Uint32Array(bytes.buffer, bytes.byteOffset + figuresAt, count * columns)
  if (!fillTexts(figures, ofTexts)) return undefined
  return {
    key, savedAt, figures, tree: bytes.toString('utf8', treeAt, textsAt), texts: bytes.subarray(textsAt, end),
    stamps: new Float64Array(bytes.buffer, bytes.byteOffset + headBytes, count * stampsOfFile),
  }
}

/** Whether the texts of all files are as long as the texts. */
function fillTexts(figures: Uint32Array, length: number): boolean {
  let sum = 0
  for (let at = 0; at < figures.length; at++) if (at % columns !== 0) sum += figures[at] ?? 0
  return sum === length
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** Of all words but its own. Two sums, since each step of one waits for the step before. */
function checksum({ buffer, byteOffset, length }: Buffer): number {
  const words = new Uint32Array(buffer, byteOffset, length / 4)
  let even = 0x811c9dc5
  let odd = ~even
  for (let at = checksumAt + 1; at < words.length; at += 2) {
    even = Math.imul(even ^ (words[at] ?? 0), 0x01000193)
    odd = Math.imul(odd ^ (words[at + 1] ?? 0), 0x01000193)
  }
  return Math.imul(even, 31) + odd >>> 0
}
