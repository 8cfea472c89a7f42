// SKILLS_CORPUS=<folder with train.tar.gz> node bench/measure/corpus-listing.mjs [STRATEGY]: lists real skills within
// the windows of three models, under each strategy. Prints a table: characters used, and how many skills are whole,
// cut, names only and left out.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'
import { enginePort } from '@skills/invocation/skill-tool'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { corpusTree } from '../trees.mjs'

const windows = [32_000, 200_000, 1_000_000]
const strategies =
  process.argv[2] === undefined ? ['fair', 'proportional', 'cutoff', 'fixed', 'xml', 'grouped'] : [process.argv[2]]

const { SKILLS_CORPUS: corpus, SKILLS_BENCH_TREES: kept } = process.env
if (corpus === undefined) {
  console.log('Nothing is measured: SKILLS_CORPUS names no folder.')
} else {
  const trees = kept ?? mkdtempSync(join(tmpdir(), 'skills-bench-'))
  mkdirSync(trees, { recursive: true })
  const cwd = corpusTree(trees, corpus)
  console.log(
    ['strategy', 'window', 'budget', 'characters', 'whole', 'cut', 'name only', 'left out']
      .map((head, at) => (at === 0 ? head.padEnd(13) : head.padStart(11)))
      .join(''),
  )
  for (const strategy of strategies) {
    const skills = createSkills(
      standard({
        host: { cwd, home: '/nonexistent', env: {} },
        managed: { dirs: [] },
        builtin: false,
        bundled: false,
        activation: false,
        listing: { strategy },
        onDiagnostic: () => {},
      }),
    )
    for (const contextWindow of windows) {
      const { entries, omitted, budgetChars, usedChars } = await enginePort(skills).listing({ contextWindow })
      const shown = how => entries.filter(entry => entry.shown === how).length
      const figures = [
        contextWindow,
        Number.isFinite(budgetChars) ? budgetChars : 'none',
        usedChars,
        shown('whole'),
        shown('cut'),
        shown('name'),
        omitted.length,
      ]
      console.log(strategy.padEnd(13) + figures.map(figure => `${figure}`.padStart(11)).join(''))
    }
    await skills.close()
  }
  if (kept === undefined) rmSync(trees, { recursive: true })
}
