export interface TarEntry {
  readonly path: string
  readonly type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO'
  readonly to?: string
  readonly content?: string
}

const types = { File: '0', Link: '1', SymbolicLink: '2', CharacterDevice: '3', FIFO: '6' }

/** A tar archive, with anything in it. */
export function tarOf(...entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, type = 'File', to = '', content = '' }) => {
    const header = Buffer.alloc(512)
    const size = Buffer.byteLength(content).toString(8).padStart(11, '0')
    header.write(path)
    for (const [at, text] of [
      [100, '0000644\0'],
      [124, `${size}\0`],
      [136, '00000000000\0'],
      [148, '        '],
      [156, types[type]],
      [157, to],
      [257, 'ustar\0' + '00'],
    ] as const)
      header.write(text, at, 'latin1')
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}
