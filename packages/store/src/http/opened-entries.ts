import { setImmediate as turn } from 'node:timers/promises'
import { abortError, SkillsError } from '@skills/core'
import type { Store, StoreCall } from '../store.js'
import type { TreeEntry } from '../tree-store.js'

/** Files after which the rest of the process gets a turn. */
const batch = 500

/**
 * Returns the files of any store, such as that of an archive, by their paths below its root. The files are found by
 * walking the store.
 */
export async function openedEntries(
  store: Store,
  root: string,
  maxFiles: number,
  call: StoreCall,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  await walk('')
  return entries

  async function walk(folder: string): Promise<void> {
    const found = await store.list(at(folder), call)
    for (const name of [...(found?.files ?? []), ...(found?.links ?? [])]) await add(`${folder}${name}`)
    for (const { name, what } of found?.others ?? []) entries.set(`${folder}${name}`, { other: what })
    for (const name of found?.folders ?? []) await walk(`${folder}${name}/`)
  }

  function at(path: string): string {
    return path === '' ? root : `${root}/${path.replace(/\/$/, '')}`
  }

  async function add(path: string): Promise<void> {
    if (entries.size >= maxFiles)
      throw new SkillsError('E_HTTP_LIMIT', `An archive has more than ${maxFiles} files.`, {
        hint: 'Allow more: "maxFiles".',
      })
    if (entries.size % batch === batch - 1) {
      await turn()
      if (call.signal.aborted) throw abortError(call.signal)
    }
    // A link stands for the file that it leads to, which lies in the same archive.
    const real = (await store.realPath?.(at(path), call)) ?? at(path)
    const stats = await store.stat(real, call)
    if (stats?.kind !== 'file') return void entries.set(path, { other: 'a link that leads to no file' })
    const { size, version = '' } = stats.identity
    entries.set(path, {
      size,
      version,
      mode: stats.mode,
      async read(reading) {
        const read = await store.read(real, reading)
        if (read?.found !== 'file')
          throw new SkillsError('E_HTTP_ARCHIVE', `${path} of an archive cannot be read.`, {
            hint: 'List the skills again.',
          })
        return read.bytes.subarray(0, read.length)
      },
    })
  }
}
