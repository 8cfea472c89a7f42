// @ts-check
// node --expose-gc bench/measure/retrieval.mjs FOLDER [heads]: how well and how fast a search finds skills by tasks. FOLDER
// is that of tasks.mjs. With `heads`, bodies are left out. Prints for texts the
// share with a right skill first (hit1), the mean reciprocal rank among 10, the share of right skills among 10 and 50, and
// the share with a right one among 20; for queries the share with a right one among 5; milliseconds of processor time.
import { searchIndex } from '@skills/invocation/skill-tool'
import { readTasks } from './tasks.mjs'

const [folder = '.', ...words] = process.argv.slice(2)
const { pool, tasks } = readTasks(folder)

globalThis.gc?.()
const before = process.memoryUsage()
const indexed = process.cpuUsage()
const index = await searchIndex(
  pool.map(({ name, description, body }) => ({ name, description, ...(!words.includes('heads') && { body }) })),
)
index.search('first')
const indexSeconds = msSince(indexed) / 1000
globalThis.gc?.()
const after = process.memoryUsage()

/** @type {number[]} */
const textMs = []
/** @type {number[]} */
const queryMs = []
const sum = { hit1: 0, mrr10: 0, recall10: 0, recall50: 0, among20: 0, queryAmong5: 0 }
for (const { text, short, core } of tasks) {
  const right = new Set(core)
  const found = ask(text, textMs)
  const at = found.findIndex(id => right.has(id))
  sum.hit1 += Number(at === 0)
  sum.mrr10 += at >= 0 && at < 10 ? 1 / (at + 1) : 0
  sum.among20 += Number(at >= 0 && at < 20)
  for (const most of /** @type {const} */ ([10, 50]))
    sum[`recall${most}`] += found.slice(0, most).filter(id => right.has(id)).length / right.size
  for (const query of short)
    sum.queryAmong5 += Number(
      ask(query, queryMs)
        .slice(0, 5)
        .some(id => right.has(id)),
    )
}
const { queryAmong5, ...ofTexts } = sum
console.log(
  JSON.stringify({
    skills: pool.length,
    ...Object.fromEntries(Object.entries(ofTexts).map(([name, value]) => [name, rounded(value / tasks.length)])),
    queryAmong5: rounded(queryAmong5 / queryMs.length),
    textMs: [quantile(textMs, 0.5), quantile(textMs, 0.95)],
    queryMs: [quantile(queryMs, 0.5), quantile(queryMs, 0.95)],
    indexSeconds: rounded(indexSeconds),
    indexMiB: Math.round((after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1024 / 1024),
  }),
)

/** @param {string} query @param {number[]} times */
function ask(query, times) {
  const start = process.cpuUsage()
  const hits = index.search(query, 50)
  times.push(msSince(start))
  return hits.map(({ at }) => pool[at]?.id ?? '')
}

/** @param {NodeJS.CpuUsage} start */
function msSince(start) {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** @param {number[]} numbers @param {number} share */
function quantile(numbers, share) {
  return rounded(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)] ?? NaN)
}

/** @param {number} number */
function rounded(number) {
  return Number(number.toFixed(3))
}
