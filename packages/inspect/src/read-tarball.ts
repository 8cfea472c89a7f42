import { messageOf, type Diagnostic } from '@skills/core'

/** A file of a tarball. */
export interface TarballFile {
  /** As it is written there, forward slashes. */
  readonly path: string
  readonly bytes: Buffer
}

interface Entry extends TarballFile {
  readonly type: string
  /** All of it, with the headers before it. */
  readonly raw: Buffer
}

const block = 512
/** Bytes that a tarball may have when it is unpacked. */
const most = 512 * 1024 * 1024

/**
 * The regular files of a tarball as npm makes one, unpacked in memory. Links and devices, which npm does not pack, are
 * left out. What is no such tarball is a diagnostic, `invalid-tarball`.
 * @param path for the diagnostic
 */
export async function readTarball(bytes: Uint8Array, path: string): Promise<readonly TarballFile[] | Diagnostic> {
  const entries = await entriesOf(bytes, path)
  return 'severity' in entries ? entries : entries.filter(({ type }) => type === '0' || type === '\0')
}

/** The same tarball without the files that are left out, or the bytes given where there are none. */
export async function withoutFiles(
  bytes: Buffer,
  path: string,
  isLeftOut: (path: string) => boolean,
): Promise<Buffer | Diagnostic> {
  const entries = await entriesOf(bytes, path)
  if ('severity' in entries) return entries
  const kept = entries.filter(entry => !isLeftOut(entry.path))
  const { gzipSync } = await import('node:zlib')
  return kept.length === entries.length
    ? bytes
    : gzipSync(Buffer.concat([...kept.map(({ raw }) => raw), Buffer.alloc(2 * block)]))
}

async function entriesOf(bytes: Uint8Array, path: string): Promise<readonly Entry[] | Diagnostic> {
  // Most programs that check skills never unpack anything.
  const { gunzipSync } = await import('node:zlib')
  const invalid = (why: string): Diagnostic => ({
    severity: 'error',
    type: 'parse',
    code: 'invalid-tarball',
    path,
    message: `${path} is no tarball: ${why}.`,
    hint: 'Pack it again.',
  })
  let data: Buffer
  try {
    data = gunzipSync(bytes, { maxOutputLength: most })
  } catch (error) {
    return invalid(messageOf(error).replace(/\.$/, ''))
  }
  const files: Entry[] = []
  let longName: string | undefined
  let start = 0
  for (let at = 0; at + block <= data.length;) {
    const header = data.subarray(at, at + block)
    if (header.every(byte => byte === 0)) return files
    const size = octal(header, 124, 12)
    if (size === undefined || octal(header, 148, 8) !== checksum(header)) return invalid('a header in it is damaged')
    const content = data.subarray(at + block, at + block + size)
    if (content.length < size) return invalid('it ends in the middle of a file')
    const end = at + block + Math.ceil(size / block) * block
    const type = String.fromCharCode(header[156] ?? 0)
    const prefix = text(header, 345, 155)
    if (type === 'x') longName = paxPath(content) ?? longName
    else if (type === 'L') longName = text(content, 0, content.length)
    else {
      const name = longName ?? `${prefix === '' ? '' : `${prefix}/`}${text(header, 0, 100)}`
      files.push({ path: name, bytes: content, type, raw: data.subarray(start, end) })
      longName = undefined
      start = end
    }
    at = end
  }
  return invalid('it has no end')
}

function text(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start)
  return bytes.toString('utf8', start, end < 0 || end > start + length ? start + length : end)
}

function octal(header: Buffer, start: number, length: number): number | undefined {
  const digits = text(header, start, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined
}

/** The sum of all bytes, its own place counting as spaces. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return sum
}

/** The path among records such as `30 path=package/…\n`, each of which begins with its length in bytes. */
function paxPath(content: Buffer): string | undefined {
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at)
    const length = Number(content.toString('utf8', at, space))
    if (space < 0 || !Number.isInteger(length) || length <= 0) return undefined
    const record = content.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return undefined
}
