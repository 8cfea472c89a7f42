import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { zipSync, type ZippableFile } from 'fflate'
import { Header, type HeaderData } from 'tar/header'
import yazl from 'yazl'
import type { StoreSample } from '@skills/testing'
import type { StoreSamples } from '@skills/testing/internal'

/** Makes a zip archive. With `sizes`, its directory declares wrong sizes. Names are used unchanged. */
export function zipOf(samples: StoreSamples, sizes: Readonly<Record<string, number>> = {}): Buffer {
  const files = Object.entries(samples).map(([path, sample]): [string, ZippableFile] => {
    const mode = typeof sample === 'object' && 'link' in sample ? 0o120777 : 0o100644
    return [path, [contentOf(sample), { os: 3, attrs: (mode << 16) >>> 0, level: 1 }]]
  })
  const bytes = Buffer.from(zipSync(Object.fromEntries(files)))
  for (const [path, size] of Object.entries(sizes)) bytes.writeUInt32LE(size, bytes.lastIndexOf(path) - 46 + 24)
  return bytes
}

/** Makes a 64-bit zip archive whose sizes stand after the bytes. */
export async function zip64Of(samples: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [path, text] of Object.entries(samples))
    zip.addReadStream(Readable.from([Buffer.from(text)]), path, { forceZip64Format: true })
  zip.end({ forceZip64Format: true, comment: '' })
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces)
}

export interface TarPart extends Omit<HeaderData, 'path'> {
  readonly content?: string | Uint8Array
}

/** Makes a tar archive of entries as given, even of entries that no program would write. */
export function tarOf(parts: readonly (readonly [path: string, part: TarPart])[]): Buffer {
  const blocks = parts.flatMap(([path, { content = '', ...header }]) => {
    const bytes = Buffer.from(content)
    const block = Buffer.alloc(512)
    new Header({ path, mode: 0o644, type: 'File', mtime: new Date(0), size: bytes.length, ...header }).encode(block, 0)
    return [block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

export function tarOfSamples(samples: StoreSamples): Buffer {
  if (Object.keys(samples).some(path => path.includes('\0')))
    throw new Error('A name in a header ends with its first NUL.')
  return tarOf(
    Object.entries(samples).map(([path, sample]) => [
      path,
      typeof sample === 'object' && 'link' in sample
        ? { type: 'SymbolicLink', linkpath: sample.link }
        : { content: sample },
    ]),
  )
}

export function tgzOf(samples: StoreSamples): Buffer {
  return gzipSync(tarOfSamples(samples), { level: 1 })
}

function contentOf(sample: StoreSample): Buffer {
  return typeof sample === 'object' && 'link' in sample ? Buffer.from(sample.link) : Buffer.from(sample)
}
