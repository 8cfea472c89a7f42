import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

/**
 * Puts a file into a private folder in one step and replaces an existing file. Does not flush the file to the disk,
 * because the caller can make its content again. Throws system errors; no partial file is left then.
 * @param folder absolute; no one else can write to it
 */
export function keepOwn(folder: string, name: string, bytes: Uint8Array): void {
  const draft = `${folder}/${name}.${process.pid}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
    } finally {
      closeSync(descriptor)
    }
    renameSync(draft, `${folder}/${name}`)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
