import { renameSync, writeFileSync } from 'node:fs'
import { tempTree, type MakeStore } from '@skills/testing'
import type { StoreSamples } from '@skills/testing/internal'
import { testStore } from '@skills/testing/vitest'
import { tarOfSamples, tgzOf, zipOf } from '../../test/make-archive.js'
import { archiveStore } from '../archive.js'

const over =
  (
    pack: (samples: StoreSamples, sizes?: Readonly<Record<string, number>>) => Buffer,
    name: string,
    isSpooled = false,
  ): MakeStore =>
  (samples, { sizes } = {}) => {
    const tree = tempTree()
    const path = `${tree.path}/${name}`
    let packed = { ...samples }
    const write = (): void => {
      writeFileSync(`${path}.new`, pack(packed, sizes))
      renameSync(`${path}.new`, path)
    }
    write()
    return {
      store: archiveStore({ path, ...(isSpooled && { spool: `${path}.files` }) }),
      root: `${path}!`,
      change(changed) {
        packed = Object.fromEntries(
          Object.entries({ ...packed, ...changed }).flatMap(([at, sample]) =>
            sample === undefined ? [] : [[at, sample]],
          ),
        )
        write()
      },
      dispose: () => tree.dispose(),
    }
  }

const without = {
  asked: 'Reads of a file are not counted.',
  backslash: 'An archive with such a name is refused.',
  held: 'A file is open only while it is read.',
  watch: 'It is asked.',
}
testStore('a zip archive', over(zipOf, 'skills.zip'), { without })
testStore('a tar archive', over(tarOfSamples, 'skills.tar'), {
  without: { ...without, sizes: 'The size of an entry says where the next one begins.' },
})
testStore('a gzipped tar archive', over(tgzOf, 'skills.tgz'), {
  without: { ...without, sizes: 'The size of an entry says where the next one begins.' },
})
testStore('a gzipped tar archive of which nothing stays in memory', over(tgzOf, 'skills.tgz', true), {
  without: { ...without, sizes: 'The size of an entry says where the next one begins.' },
})
testStore(
  'a zip archive in memory',
  (samples, { sizes } = {}) => ({ store: archiveStore({ bytes: zipOf(samples, sizes) }), root: 'archive:!' }),
  { without: { ...without, change: 'Its bytes are given once.' } },
)
