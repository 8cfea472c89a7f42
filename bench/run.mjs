// npm run bench [-- --runs N --only TEXT --scale SKILLS --check]: measures the engine against what the machine allows,
// and prints a table. Everything in a row is measured in turn within this run, each in a process of its own; the ratio
// is the median over the pairs.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { corpusTree, plainTree, pluginTree, spreadTree } from './trees.mjs'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
    scale: { type: 'string', default: '10000' },
  },
})
const runs = Number(options.runs)
const here = fileURLToPath(new URL('.', import.meta.url))
const cli = join(here, '../packages/cli/dist/skills.cjs')
const trees = process.env.SKILLS_BENCH_TREES ?? mkdtempSync(join(tmpdir(), 'skills-bench-'))
mkdirSync(trees, { recursive: true })

// Both double Node's own start, which is part of the measurement.
const { NODE_OPTIONS, NODE_EXTRA_CA_CERTS, ...env } = process.env

function node(args) {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 2 ** 28 })
  const wholeMs = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  return { wholeMs, stdout }
}

const measure = (name, ...args) => JSON.parse(node([join(here, 'measure', `${name}.mjs`), ...args]).stdout)
const wholeProcess = (...args) => ({ ms: node(args).wholeMs })
const median = values => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** Drops a tree's files from the page cache. */
function chill(tree) {
  const { status, stderr } = spawnSync(
    'sh',
    [
      '-c',
      `find "$0" -name SKILL.md -print0 | xargs -0 -P 2 -I{} dd of={} oflag=nocache conv=notrunc,fdatasync count=0 status=none`,
      tree,
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The page cache could not be dropped: ${stderr}`)
}

const rows = []
function compare(what, limit, ours, reference, { count = runs, before = () => {} } = {}) {
  if (options.only !== undefined && !what.includes(options.only)) return
  const pairs = []
  for (let run = 0; run < count + 1; run++) {
    before()
    const a = ours()
    before()
    const b = reference()
    // The first pair warms up the page cache.
    if (run > 0) pairs.push({ a: a.ms, b: b.ms, ratio: a.ms / b.ms })
  }
  add(
    what,
    median(pairs.map(pair => pair.a)),
    median(pairs.map(pair => pair.b)),
    median(pairs.map(pair => pair.ratio)),
    limit,
    '×',
  )
}

function add(what, ours, reference, figure, limit, unit, atLeast = false) {
  // Some figures have no target and are only printed.
  const isMet = limit === undefined || (atLeast ? figure >= limit : figure <= limit)
  rows.push({ what, ours, reference, figure, limit, unit, atLeast, isMet })
  const cells = [
    what.padEnd(58),
    ours.toFixed(1).padStart(9),
    (reference === undefined ? '' : reference.toFixed(1)).padStart(9),
    `${figure.toFixed(2)}${unit}`.padStart(10),
    (limit === undefined ? '' : `${atLeast ? '≥' : '≤'} ${limit}${unit}`).padStart(10),
    limit === undefined ? '' : isMet ? '  met' : '  MISSED',
  ]
  console.log(cells.join(' '))
}

console.log(
  `${'measured'.padEnd(58)} ${'ours'.padStart(9)} ${'reference'.padStart(9)} ${'figure'.padStart(10)} ${'target'.padStart(10)}`,
)
const p = Object.fromEntries([10, 100, 1000, 10_000].map(count => [count, plainTree(trees, count)]))
const corpus = corpusTree(trees, process.env.SKILLS_CORPUS)

compare(
  'catalog of 10,000, against reading their heads',
  2.0,
  () => measure('catalog', p[10_000]),
  () => measure('read-heads', p[10_000]),
)
compare(
  'catalog of 1,000, against reading their heads',
  2.6,
  () => measure('catalog', p[1000]),
  () => measure('read-heads', p[1000]),
  { count: runs * 2 },
)
compare(
  'catalog of a corpus-shaped tree, against the same',
  4.5,
  () => measure('catalog', corpus),
  () => measure('read-heads', corpus),
)
compare(
  'catalog of 10,000 with the stats of its files, against without',
  undefined,
  () => measure('catalog', p[10_000]),
  () => measure('catalog', p[10_000], '--once'),
)
compare(
  'frontmatter of 10,000 without its quick way, against with it',
  undefined,
  () => measure('quick-way', p[10_000], '--full'),
  () => measure('quick-way', p[10_000]),
)
if (options.only === undefined || 'gray-matter'.includes(options.only)) {
  for (const [how, ...mode] of [['at once'], ['awaited', '--await']]) {
    const pairs = Array.from({ length: 3 }, () => ({
      a: measure('catalog', p[10_000]).ms,
      b: measure('gray-matter', p[10_000], ...mode).ms,
    }))
    add(
      `times as fast as gray-matter over whole files ${how}`,
      median(pairs.map(x => x.a)),
      median(pairs.map(x => x.b)),
      median(pairs.map(x => x.b / x.a)),
      5,
      '×',
      true,
    )
  }
}
compare(
  'page cache cold, against callbacks ×16, 1,000',
  1.5,
  () => measure('catalog', p[1000]),
  () => measure('read-callbacks', p[1000]),
  { count: 5, before: () => chill(p[1000]) },
)
compare(
  'page cache cold, against callbacks ×16, 10,000',
  1.5,
  () => measure('catalog', p[10_000]),
  () => measure('read-callbacks', p[10_000]),
  { count: 3, before: () => chill(p[10_000]) },
)
compare(
  'looking again at 10,000 unchanged, against statSync each',
  1.4,
  () => measure('catalog', p[10_000], '--revalidate'),
  () => measure('stat-each', p[10_000]),
)
if (options.only === undefined || 'watching'.includes(options.only)) {
  const watched = measure('watch', p[10_000])
  add(
    'watching 10,000: ms from a change to the catalog, debounce left out',
    watched.ms,
    undefined,
    watched.ms,
    50,
    ' ms',
  )
  add('watching 10,000: files read for one that changed', watched.reads, undefined, watched.reads, 1, '')
}
if (options.only === undefined || 'six distributions, shared reads'.includes(options.only)) {
  const pairs = Array.from({ length: runs }, () => ({
    a: measure('shared-reads', 'shared', corpus),
    b: measure('shared-reads', 'alone', corpus),
  }))
  add(
    'six distributions of a corpus-shaped tree, shared reads',
    median(pairs.map(x => x.a.ms)),
    median(pairs.map(x => x.b.ms)),
    median(pairs.map(x => x.a.ms / x.b.ms)),
    undefined,
    '×',
  )
  const [{ a: shared }] = pairs
  add(
    '  the same: files opened, against times that one was wanted',
    shared.filesRead,
    shared.filesRead + shared.filesShared,
    shared.filesRead,
    undefined,
    '',
  )
  add('  the same: MiB kept', shared.keptMiB, undefined, shared.keptMiB, undefined, ' MiB')
}
if (options.only === undefined || 'nested folders touched'.includes(options.only)) {
  const touched = measure('touches', mkdtempSync(join(trees, 'touched-')), '3000')
  add(
    'nested folders touched: ms of the 3,000th, against the 10th',
    touched.ms,
    touched.tenthMs,
    touched.ms / touched.tenthMs,
    undefined,
    '×',
  )
}
const spread = spreadTree(trees, 5000)
compare(
  '5,000 files in all places, against the same in one root',
  1.1,
  () => measure('spread', 'spread', spread.cwd, spread.home, spread.managed),
  () => measure('spread', 'one', spread.one),
  { count: runs * 2 },
)
const published = pluginTree(trees, 100, 50)
compare(
  '100 plugins of 50 skills, against reading their heads',
  2.2,
  () => measure('plugins', published),
  () => measure('read-heads', published, '--plugins'),
)
if (options.only === undefined || 'memory turns'.includes(options.only)) {
  const empty = median(Array.from({ length: 5 }, () => Number(node(['-p', 'process.resourceUsage().maxRSS']).stdout)))
  const peak = median(Array.from({ length: 5 }, () => measure('catalog', p[10_000]).peakKiB))
  add('peak memory for 10,000, MiB over an empty process', peak / 1024, empty / 1024, (peak - empty) / 1024, 40, ' MiB')
  const turns = Array.from({ length: 5 }, () => measure('catalog', p[10_000], '--turns').longest)
  add('longest time without a turn for others, 10,000', median(turns), undefined, median(turns), 10, ' ms')
}
for (const [count, limit] of [
  [10, 1.7],
  [100, 2.0],
  [1000, 3.5],
  [10_000, 10.5],
]) {
  compare(
    `skills list --json of ${count}, whole process, against node -e 0`,
    limit,
    () => wholeProcess(cli, 'list', '--json', '--cwd', p[count], '--home', trees),
    () => wholeProcess('-e', '0'),
    { count: runs * 2 },
  )
}
// An overview of few skills decides by lengths that a model is told of all, and makes no listing; one of 1,000 makes it.
for (const [count, limit] of [
  [10, 1.6],
  [1000, 2.0],
]) {
  compare(
    `skills, the overview of ${count}, whole process, against list`,
    limit,
    () => wholeProcess(cli, '--cwd', p[count], '--home', trees),
    () => wholeProcess(cli, 'list', '--json', '--cwd', p[count], '--home', trees),
    { count: runs * 2 },
  )
}
/** Returns a function that runs the program in a folder: ms, ms of processor time and peak MiB. */
function commandIn(cwd, home) {
  const peak = join(here, 'measure/peak.cjs')
  return args => {
    const start = performance.now()
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', peak, cli, ...args, '--cwd', cwd, '--home', home],
      { env, encoding: 'utf8', maxBuffer: 2 ** 30 },
    )
    if (status !== 0) throw new Error(`skills ${args.join(' ')} ended with ${status}: ${stderr}`)
    return { ms: performance.now() - start, ...JSON.parse(stderr.trim().split('\n').at(-1) ?? '') }
  }
}
if (options.only === undefined || 'compat'.includes(options.only)) {
  const home = mkdtempSync(join(tmpdir(), 'skills-home-'))
  const command = commandIn(corpus, home)
  const pairs = Array.from({ length: Math.ceil(runs / 2) + 1 }, () => ({
    a: command(['compat', '--json']),
    b: command(['list', '--json']),
    // The first pair warms up the page cache.
  })).slice(1)
  const of = figure => [
    median(pairs.map(({ a }) => figure(a))),
    median(pairs.map(({ b }) => figure(b))),
    median(pairs.map(({ a, b }) => figure(a) / figure(b))),
  ]
  add('skills compat of a corpus-shaped tree, against list: ms', ...of(({ ms }) => ms), undefined, '×')
  add('  the same: ms of processor', ...of(({ cpuMs }) => cpuMs), undefined, '×')
  const [most] = of(({ peakMiB }) => peakMiB)
  add('  the same: MiB at most', most, undefined, most, 300, ' MiB')
  rmSync(home, { recursive: true })
}
if (options.only === undefined || 'commands at scale'.includes(options.only)) {
  const cwd = plainTree(trees, Number(options.scale))
  // A home of its own for each: the program would read what it remembered there.
  const home = mkdtempSync(join(tmpdir(), 'skills-home-'))
  const command = commandIn(cwd, home)
  const [name] = readdirSync(join(cwd, '.claude/skills'))
  for (const [args, time, memory] of [
    [['search', '00042', '--json'], 1.3, 1.2],
    [['search', '00042', '--body', '--json'], undefined, undefined],
    [['audit', '--json'], 3, undefined],
    [['trust', '--dry-run'], 3, undefined],
    [['lint', '--json'], undefined, undefined],
    [['explain', name], 0.5, undefined],
    [['show', name], 0.5, undefined],
    [['render', name, '--no-shell'], 0.5, undefined],
  ]) {
    const pairs = Array.from({ length: Math.ceil(runs / 3) }, () => ({
      a: command(args),
      b: command(['list', '--json']),
    }))
    const of = figure => [
      median(pairs.map(({ a }) => figure(a))),
      median(pairs.map(({ b }) => figure(b))),
      median(pairs.map(({ a, b }) => figure(a) / figure(b))),
    ]
    const what = `${args.filter(arg => arg !== name && arg !== '--json').join(' ')} of ${options.scale}, against list`
    add(`skills ${what}: ms`, ...of(({ ms }) => ms), time, '×')
    add('  the same: ms of processor', ...of(({ cpuMs }) => cpuMs), time, '×')
    add('  the same: MiB at most', ...of(({ peakMiB }) => peakMiB), memory, '×')
  }
  const watched = Array.from({ length: Math.ceil(runs / 3) }, () => ({
    a: measure('watch-start', cli, cwd, home),
    b: command(['list', '--json']),
  }))
  const cpu = watched.map(({ a, b }) => ({ a: a.cpuMs, b: b.cpuMs }))
  add(
    `skills watch of ${options.scale} begun, against list: ms of processor`,
    median(cpu.map(({ a }) => a)),
    median(cpu.map(({ b }) => b)),
    median(cpu.map(({ a, b }) => a / b)),
    2,
    '×',
  )
  const more = median(watched.map(({ a, b }) => a.peakMiB - b.peakMiB))
  add(
    '  the same: MiB more',
    median(watched.map(({ a }) => a.peakMiB)),
    median(watched.map(({ b }) => b.peakMiB)),
    more,
    300,
    ' MiB',
  )
  rmSync(home, { recursive: true })
}
if (options.only === undefined || 'names'.includes(options.only)) {
  const { results } = measure('names')
  const [small, , large] = results
  add(
    'µs a name in a catalog of 100,000, against one of 1,000',
    large.msPerThousand,
    small.msPerThousand,
    large.msPerThousand / small.msPerThousand,
    3,
    '×',
  )
  add(
    'ns a lookup among 100,000, against 1,000',
    large.nsPerLookup,
    small.nsPerLookup,
    large.nsPerLookup / small.nsPerLookup,
    5,
    '×',
  )
}

if (options.only === undefined || 'listing search'.includes(options.only)) {
  const listings = Array.from({ length: 3 }, () => ({
    many: measure('listing', '10000'),
    few: measure('listing', '100'),
  }))
  const of = (size, key) => median(listings.map(pair => pair[size][key]))
  add(
    'listing 10,000 of a warm catalog: ms, nothing changed',
    of('many', 'unchangedMs'),
    of('few', 'unchangedMs'),
    of('many', 'unchangedMs'),
    5,
    ' ms',
  )
  add(
    'listing 10,000 of a warm catalog: ms, the order changed',
    of('many', 'reorderedMs'),
    of('few', 'reorderedMs'),
    of('many', 'reorderedMs'),
    5,
    ' ms',
  )
  add(
    'µs of an unchanged delta of 10,000, against 100',
    of('many', 'deltaMicros'),
    of('few', 'deltaMicros'),
    of('many', 'deltaMicros') / of('few', 'deltaMicros'),
    3,
    '×',
  )
  for (const strategy of ['fair', 'proportional', 'cutoff']) {
    const firsts = Array.from({ length: runs }, () => measure('listing', '10000', strategy).firstMs)
    add(
      `listing 10,000 for the first time in a process: ms, ${strategy}`,
      median(firsts),
      undefined,
      median(firsts),
      5,
      ' ms',
    )
  }
  // These strategies print everything, so their time is measured against the length of their text.
  for (const strategy of ['fixed', 'xml', 'grouped']) {
    const firsts = Array.from({ length: runs }, () => measure('listing', '10000', strategy)).map(
      ({ firstMs, chars }) => ({ ms: firstMs, micros: (firstMs * 1000) / (chars / 1024) }),
    )
    add(
      `listing 10,000 for the first time: µs a KiB, ${strategy}`,
      median(firsts.map(({ ms }) => ms)),
      undefined,
      median(firsts.map(({ micros }) => micros)),
      20,
      ' µs',
    )
  }
  add('searching 10,000: ms a query', of('many', 'searchMs'), of('few', 'searchMs'), of('many', 'searchMs'), 50, ' ms')
}

if (options.only === undefined || 'permission'.includes(options.only)) {
  const { micros: each, scripts } = measure('permission')
  add(
    'ms to judge a script of up to twelve commands, the median of 2,000',
    scripts.median,
    undefined,
    scripts.median,
    1,
    ' ms',
  )
  add('the same, of the slowest in a hundred', scripts.slowest, undefined, scripts.slowest, 20, ' ms')
  for (const [name, micros] of Object.entries(each))
    add(`µs a check among 10,000 rules: ${name}`, micros, undefined, micros, 50, ' µs')
}

if (options.only === undefined || 'hooks'.includes(options.only)) {
  const { 'the kernel, asked each time': _, ...asked } = measure('hooks').micros
  for (const [name, micros] of Object.entries(asked))
    add(`µs to ask the hooks of a tool that none is for: ${name}`, micros, undefined, micros, 2, ' µs')
}

if (options.only === undefined || 'invoking'.includes(options.only)) {
  const { few, many } = measure('invoke')
  add('µs of invoking one among 10,000 skills, against among 10', many, few, many / few, 1.2, '×')
}
if (options.only === undefined || 'fork'.includes(options.only)) {
  const forks = Array.from({ length: 3 }, () => measure('fork'))
  const ms = median(forks.map(fork => fork.ms))
  add('ms of a fork whose runner does nothing', ms, undefined, ms, 2, ' ms')
  const left = median(forks.map(fork => fork.kibLeft))
  add('KiB on the heap a fork, after 1,000 at once have ended', left, undefined, left, 0.1, ' KiB')
}

if (process.env.SKILLS_BENCH_TREES === undefined) rmSync(trees, { recursive: true })
const missed = rows.filter(row => !row.isMet).length
console.log(
  `\n${rows.length} figures, ${missed} missed their target. Node ${process.version}, ${process.platform} ${process.arch}.`,
)
if (options.check && missed > 0) process.exitCode = 1
