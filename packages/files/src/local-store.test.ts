import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testStore } from '@skills/testing/vitest'
import type { StoreSample } from '@skills/testing'
import { LocalStore } from './index.js'

for (const reads of ['auto', 'callbacks'] as const) {
  testStore(
    `the disk, reading with ${reads}`,
    samples => {
      const root = mkdtempSync(`${inMemory()}/skills-`)
      const put = (at: string, sample: StoreSample | undefined): void => {
        const file = path.join(root, at)
        rmSync(file, { recursive: true, force: true })
        if (sample === undefined) return
        mkdirSync(path.dirname(file), { recursive: true })
        if (typeof sample === 'object' && 'link' in sample) symlinkSync(sample.link, file)
        else writeFileSync(file, sample)
      }
      for (const [at, sample] of Object.entries(samples)) put(at, sample)
      return {
        store: new LocalStore({ reads }),
        root,
        change(changed) {
          for (const [at, sample] of Object.entries(changed)) put(at, sample)
        },
        dispose: () => rmSync(root, { recursive: true }),
      }
    },
    {
      without: {
        asked: 'The system is asked.',
        held: 'Nothing is held open.',
        watch: 'The paths of a disk are watched by watchSkills().',
        contained: 'A disk is one place with many roots: `within` says where a link may lead.',
        hostileNames: 'A disk has no such names.',
        sizes: 'A disk tells the size of a file as it is.',
        changes: 'A disk has no version: stats are compared.',
      },
    },
  )
}

/** Returns a folder in memory if there is one: writing 10,000 files to a disk takes seconds. */
function inMemory(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    // A system without a folder in memory uses the disk, only slower.
    return tmpdir()
  }
}
