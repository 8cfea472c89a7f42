/** File that is packed. */
export interface PackedFile {
  /** Path with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

/** Packs files into a tar archive with gzip. The same files give the same bytes. */
export async function packedFiles(files: readonly PackedFile[]): Promise<Buffer> {
  const { Header, Pack, ReadEntry } = await import('tar')
  const pack = new Pack({ gzip: true, portable: true })
  const parts: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pack.on('data', (part: Buffer) => void parts.push(part))
    pack.on('end', () => resolve()).on('error', reject)
  })
  for (const { path, bytes, isExecutable } of files) {
    const mode = isExecutable ? 0o755 : 0o644
    const entry = new ReadEntry(new Header({ path, mode, size: bytes.length, type: 'File', mtime: new Date(0) }))
    entry.end(Buffer.from(bytes))
    pack.add(entry)
  }
  pack.end()
  await ended
  return Buffer.concat(parts)
}
