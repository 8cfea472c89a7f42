import { Header } from 'tar/header'

export interface TarEntry {
  readonly path: string
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  readonly to?: string
  readonly content?: string
}

/** Makes a tar archive with any entries. */
export function tarOf(...entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', to, content = '' }) => {
    const bytes = Buffer.from(content)
    const block = Buffer.alloc(512)
    new Header({
      path,
      type,
      mode: 0o644,
      mtime: new Date(0),
      size: bytes.length,
      ...(to === undefined ? {} : { linkpath: to }),
    }).encode(block, 0)
    return [block, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
