import { heldBytes } from '../contract/reading.js'
import { contentOf, type StoreRule } from './store-trial.js'
import type { StoreSamples } from './store-fixture.js'

const many = 10_000

/** Rules for a store with many files or many calls. */
export const loadRules = (maxBytes: number): readonly StoreRule[] => [
  {
    name: 'many',
    rule: `10,000 files are listed and a thousand of them read, with no more kept in memory than the store states`,
    async check(trial) {
      const samples: StoreSamples = Object.fromEntries(
        Array.from({ length: many }, (_, at) => [
          `skill-${at}/SKILL.md`,
          `---\nname: skill-${at}\n---\nNumber ${at}.\n`,
        ]),
      )
      const opened = await trial.open(samples)
      const before = await heldBytes()
      const { folders } = (await opened.list('')) ?? trial.broken('list("") found nothing.')
      if (folders.length !== many) trial.broken(`list("") of ${many} folders has ${folders.length}.`)
      for (let at = 0; at < many; at += 10) {
        const expected = samples[`skill-${at}/SKILL.md`]
        const found = (await trial.bytes(opened, `skill-${at}/SKILL.md`)).toString()
        if (found !== expected) trial.broken(`read() of file ${at} gave ${JSON.stringify(found)}.`)
      }
      const grown = (await heldBytes()) - before
      if (grown > maxBytes)
        trial.broken(
          `after ${many} files were listed ${Math.round(grown / 1e6)} MB are kept in memory; ${Math.round(maxBytes / 1e6)} MB are stated (maxBytes).`,
        )
    },
  },
  {
    name: 'at-once',
    rule: '64 files that are read at one time, while folders are listed, each give their own bytes',
    async check(trial) {
      const paths = Array.from({ length: 64 }, (_, at) => `${at % 8}/file-${at}.md`)
      const contentAt = (at: number): string => `Number ${at}. `.repeat(1 + at * 37)
      const opened = await trial.open(Object.fromEntries(paths.map((path, at) => [path, contentAt(at)])))
      const { signal } = new AbortController()
      const [found] = await Promise.all([
        Promise.all(
          paths.map(async path => {
            const answer = opened.store.read(opened.at(path), { signal, maxBytes: 1_000_000 })
            // The bytes of a synchronous answer are lent until the next call, so they are copied in this turn.
            if (!(answer instanceof Promise)) return answer?.found === 'file' ? contentOf(answer).toString() : ''
            const file = await trial.answer(`read("${path}")`, async () => answer)
            return file?.found === 'file' ? contentOf(file).toString() : ''
          }),
        ),
        Promise.all(Array.from({ length: 8 }, (_, at) => opened.list(String(at)))),
      ])
      const wrong = found.findIndex((text, at) => text !== contentAt(at))
      if (wrong >= 0)
        trial.broken(
          `of 64 files that were read at one time, number ${wrong} has ${JSON.stringify(found[wrong]?.slice(0, 40))}.`,
        )
    },
  },
]
