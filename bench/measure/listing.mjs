// Lists a warm catalog of so many skills within the budget of a window of 200,000 tokens: once unchanged, and once
// after another skill was used last, which changes the order. Then it makes the delta of a listing in which nothing
// changed, and a search. Prints ms, and µs of the delta. With a strategy after the number: only the first listing of
// this process under it, where no use is known, and the length of its text.
import { createSkills, loadResult, promptCommand } from '@skills/core'
import { budgetFormatter } from '@skills/formatter-budget'
import { enginePort, formatterKind, ListingRecord, searchTool } from '@skills/invocation/skill-tool'

const [number = '10000', strategy] = process.argv.slice(2)
const count = Number(number)
const words =
  'archive branch build cache check cluster commit config convert copy deploy diff draft edit export fetch filter format graph group'.split(
    ' ',
  )
const description = at =>
  `Use this when somebody wants to ${Array.from({ length: 40 }, (_, word) => words[(at * 31 + word * word * 7) % words.length]).join(' ')}.`
const commands = Array.from({ length: count }, (_, at) =>
  promptCommand({ name: `skill-${at}`, source: 'user', description: description(at), load: () => ({ template: '' }) }),
)
let used = 0
const skills = createSkills({
  kinds: [formatterKind],
  onDiagnostic: () => {},
  plugins: [
    { kind: 'source', id: 'names', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) },
    budgetFormatter(
      strategy === undefined
        ? { use: name => (name === `skill-${used}` ? { count: 1, lastUsed: 0 } : undefined) }
        : { strategy },
    ),
  ],
})
const port = enginePort(skills)
await skills.catalog()
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const timed = async work => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const listing = () => port.listing({ contextWindow: 200_000 })
const firstMs = await timed(listing)
if (strategy !== undefined) console.log(JSON.stringify({ firstMs, chars: (await listing()).usedChars }))
else await more()
await skills.close()

async function more() {
  const reordered = []
  const unchanged = []
  for (let run = 0; run < 50; run++) {
    used = (run * 7919) % count
    reordered.push(await timed(listing))
    unchanged.push(await timed(listing))
  }
  const record = new ListingRecord()
  const made = await listing()
  record.next(made)
  const deltas = 100_000
  const start = performance.now()
  for (let at = 0; at < deltas; at++) record.next(made)
  const deltaMicros = ((performance.now() - start) / deltas) * 1000
  // Measures the search without permission checks.
  const tool = await searchTool({
    ...port,
    permission: async () => ({ behavior: 'allow', message: '', decisionReason: { type: 'host' } }),
  })
  const firstSearchMs = await timed(() => tool.call({ query: 'deploy a cluster' }))
  const searches = []
  for (const query of ['commit message', 'deploy', 'skill 77', 'archve brnch'])
    searches.push(await timed(() => tool.call({ query })))
  console.log(
    JSON.stringify({
      firstMs,
      reorderedMs: median(reordered),
      unchangedMs: median(unchanged),
      deltaMicros,
      firstSearchMs,
      searchMs: median(searches),
    }),
  )
}
