import { isUtf8 } from 'node:buffer'

/** Kind of a file, recognised by its bytes and not by its name. */
export interface FileKind {
  /**
   * `text`: readable by a person; `shown`: pictures, fonts, sounds and films, which programs show; `document`: opened
   * by a person in a program; `opaque`: everything else, such as programs, containers and data.
   */
  readonly as: 'text' | 'shown' | 'document' | 'opaque'
  /** Noun for a sentence, such as `a program (ELF)`. */
  readonly what: string
}

type Sign = readonly [at: number, sign: string, as: FileKind['as'], what: string]

/** First bytes of files of each kind, in Latin-1; executable kinds come before shown ones. */
const signs: readonly Sign[] = [
  [0, '\x7fELF', 'opaque', 'a program (ELF)'],
  [0, 'MZ', 'opaque', 'a program of Windows'],
  [0, '\xfe\xed\xfa\xce', 'opaque', 'a program (Mach-O)'],
  [0, '\xfe\xed\xfa\xcf', 'opaque', 'a program (Mach-O)'],
  [0, '\xce\xfa\xed\xfe', 'opaque', 'a program (Mach-O)'],
  [0, '\xcf\xfa\xed\xfe', 'opaque', 'a program (Mach-O)'],
  [0, '\xca\xfe\xba\xbe', 'opaque', 'a program (Java or Mach-O)'],
  [0, '\0asm', 'opaque', 'a program (WebAssembly)'],
  [0, 'dex\n', 'opaque', 'a program of Android'],
  [0, '\x1bLua', 'opaque', 'a compiled script (Lua)'],
  [2, '\r\n', 'opaque', 'a compiled script (Python)'],
  [0, '!<arch>', 'opaque', 'an archive of programs'],
  [0, 'PK\x03\x04', 'opaque', 'an archive (zip, or a document made of one)'],
  [0, 'PK\x05\x06', 'opaque', 'an archive (zip)'],
  [0, '\x1f\x8b', 'opaque', 'packed (gzip)'],
  [0, 'BZh', 'opaque', 'packed (bzip2)'],
  [0, '\xfd7zXZ', 'opaque', 'packed (xz)'],
  [0, '\x28\xb5\x2f\xfd', 'opaque', 'packed (zstd)'],
  [0, '7z\xbc\xaf', 'opaque', 'an archive (7z)'],
  [0, 'Rar!', 'opaque', 'an archive (rar)'],
  [257, 'ustar', 'opaque', 'an archive (tar)'],
  [0, 'SQLite format 3\0', 'opaque', 'a database (SQLite)'],
  [0, '\xd0\xcf\x11\xe0', 'opaque', 'a document of Office'],
  [0, '%PDF-', 'document', 'a document (PDF)'],
  [0, '\x89PNG\r\n', 'shown', 'a picture (PNG)'],
  [0, '\xff\xd8\xff', 'shown', 'a picture (JPEG)'],
  [0, 'GIF8', 'shown', 'a picture (GIF)'],
  [8, 'WEBP', 'shown', 'a picture (WebP)'],
  [0, '\0\0\x01\0', 'shown', 'a picture (icon)'],
  [0, 'II*\0', 'shown', 'a picture (TIFF)'],
  [0, 'MM\0*', 'shown', 'a picture (TIFF)'],
  [4, 'ftyp', 'shown', 'a film, a sound or a picture'],
  [8, 'WAVE', 'shown', 'a sound (WAV)'],
  [0, 'ID3', 'shown', 'a sound (MP3)'],
  [0, 'OggS', 'shown', 'a sound (Ogg)'],
  [0, 'fLaC', 'shown', 'a sound (FLAC)'],
  [0, '\x1a\x45\xdf\xa3', 'shown', 'a film (WebM)'],
  [0, 'wOFF', 'shown', 'a font'],
  [0, 'wOF2', 'shown', 'a font'],
  [0, '\0\x01\0\0\0', 'shown', 'a font'],
  [0, 'OTTO', 'shown', 'a font'],
  [0, 'ttcf', 'shown', 'a font'],
]

const text: FileKind = { as: 'text', what: 'text' }

/** Returns the kind of a file. Takes time in proportion to the file. */
export function kindOfBytes(bytes: Buffer): FileKind {
  // Text that begins like a program is still text: `MZ` are two letters.
  if (isText(bytes)) return isEncoded(bytes) ? { as: 'opaque', what: 'data that is written in letters' } : text
  const known = signs.find(([at, sign]) => bytes.toString('latin1', at, at + sign.length) === sign)
  return known === undefined ? { as: 'opaque', what: 'not text' } : { as: known[2], what: known[3] }
}

/** Returns the text of a text file in any of the known encodings. */
export function textOfBytes(bytes: Buffer): string {
  if (isUtf16(bytes)) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}

function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.toString('latin1', 0, 2)
  return mark === '\xff\xfe' || mark === '\xfe\xff'
}

function isText(bytes: Buffer): boolean {
  if (isUtf16(bytes)) return bytes.length % 2 === 0 && !/[\0\ufffd]/.test(textOfBytes(bytes))
  let high = 0
  let control = 0
  for (const byte of bytes) {
    if (byte === 0) return false
    if (byte >= 0x80) high++
    // Counts control characters, but not tabs, line ends, form feeds, or the escape that starts a terminal's colour.
    else if (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 0x1b) control++
  }
  if (control * 100 > bytes.length) return false
  // Text with one byte a letter, as older programs write it, has few bytes beyond ASCII.
  return isUtf8(bytes) || (control === 0 && high * 10 <= bytes.length)
}

/** Shortest line, in letters, that counts as encoded data. */
const encodedLine = 60
const leastEncoded = 512
const leastLetters = 12

/** True for each byte that base64, base64url or hexadecimal digits consist of. */
const isEncodedByte = Array.from({ length: 256 }, (_, byte) => /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(byte)))
const [lineFeed, carriageReturn] = [0x0a, 0x0d]

/** Returns true if most of a text is encoded data, such as lines of base64 or hexadecimal digits. */
function isEncoded(bytes: Buffer): boolean {
  if (bytes.length < leastEncoded) return false
  let encoded = 0
  const letters = new Set<number>()
  // A regular expression overflows the stack at a line of some megabytes.
  for (let start = 0, end: number; start < bytes.length; start = end + 1) {
    const feed = bytes.indexOf(lineFeed, start)
    end = feed === -1 ? bytes.length : feed
    const line = bytes.subarray(start, bytes[end - 1] === carriageReturn ? end - 1 : end)
    if (line.length < encodedLine || !line.every(byte => isEncodedByte[byte])) continue
    encoded += line.length + 1
    for (let at = 0; at < line.length && letters.size < leastLetters; at++) letters.add(line[at] ?? 0)
  }
  return encoded > bytes.length / 2 && letters.size >= leastLetters
}
