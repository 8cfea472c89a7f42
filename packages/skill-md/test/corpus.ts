import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { list } from 'tar'

/** Folder with archives of real skills; without it their tests are skipped. */
export const corpus = process.env['SKILLS_CORPUS']

/** Returns the regular files of the archives; none without a corpus. */
export function corpusFiles(): readonly { readonly name: string; readonly bytes: Buffer }[] {
  const files: { name: string; bytes: Buffer }[] = []
  const archives = corpus === undefined ? [] : readdirSync(corpus).filter(name => name.endsWith('.tar.gz'))
  for (const archive of archives)
    list({
      file: join(corpus ?? '', archive),
      sync: true,
      onReadEntry: entry => {
        const pieces: Buffer[] = []
        entry.on('data', piece => pieces.push(piece))
        entry.on('end', () => entry.type === 'File' && files.push({ name: entry.path, bytes: Buffer.concat(pieces) }))
      },
    })
  return files
}
