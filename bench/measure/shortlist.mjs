// @ts-check
// node bench/measure/shortlist.mjs FOLDER [BUDGET]: for how many tasks a listing has a right skill, by strategy. FOLDER is
// that of tasks.mjs. All listings have the same budget in characters (8,000), and none reads a body.
import { createHash } from 'node:crypto'
import { createSkills, loadResult, promptCommand } from '@skills/core'
import { budgetFormatter } from '@skills/formatter-budget'
import { enginePort, formatterKind, strategyKind } from '@skills/invocation/skill-tool'
import { readTasks } from './tasks.mjs'

const [folder = '.', budget = '8000'] = process.argv.slice(2)
const { pool, tasks } = readTasks(folder)
/** @param {{ id: string }} skill */
const mixedBy = ({ id }) => createHash('sha256').update(id).digest('hex')
// The right skills come first in the pool, and the order counts where room is short. Names repeat there; ids do not.
const mixed = pool.toSorted((a, b) => (mixedBy(a) < mixedBy(b) ? -1 : 1))
const commands = mixed.map(({ id, name, description }) =>
  promptCommand({
    name: id.replace(/[^\w-]/g, '-'),
    displayName: name,
    description,
    source: 'user',
    load: () => ({ template: '' }),
  }),
)

for (const [strategy, most] of /** @type {const} */ ([
  ['fair', 0],
  ['proportional', 0],
  ['filling', 0],
  ['cutoff', 0],
  ['shortlist', 10],
  ['shortlist', 20],
  ['shortlist', 50],
])) {
  const given = { strategy, budget: Number(budget), ...(most > 0 && { most }) }
  const skills = createSkills({
    kinds: [formatterKind, strategyKind],
    onDiagnostic: () => {},
    plugins: [
      { kind: 'source', id: 'pool', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) },
      budgetFormatter(/** @type {import('@skills/formatter-budget').BudgetFormatterOptions} */ (given)),
    ],
  })
  const port = enginePort(skills, { leavesOutDenied: false })
  let held = 0
  let chars = 0
  const start = process.cpuUsage()
  for (const { text, core } of tasks) {
    const right = new Set(core.map(id => id.replace(/[^\w-]/g, '-')))
    const listing = await port.listing({ messages: [text] })
    held += Number(listing.entries.some(({ name }) => right.has(name)))
    chars += listing.usedChars
  }
  const { user, system } = process.cpuUsage(start)
  await skills.close()
  console.log(
    JSON.stringify({
      strategy,
      ...(most > 0 && { most }),
      tasksWithRight: Number((held / tasks.length).toFixed(3)),
      chars: Math.round(chars / tasks.length),
      msEach: Math.round((user + system) / 1000 / tasks.length),
    }),
  )
}
