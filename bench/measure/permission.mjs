// Makes one decision of the permission rules among many (10,000, or the given number). Prints the median µs of each
// kind.
import { promptCommand } from '@skills/core'
import { permissionRules } from '@skills/permission-rules'

const count = Number(process.argv[2] ?? 10_000)
const times = 5000
const micros = {}
const shapes = [
  at => `Skill(skill-${at})`,
  at => `Skill(team-${at}:*)`,
  at => `Skill(user:own-${at})`,
  at => `Bash(tool-${at} run:*)`,
  at => `Bash(tool-${at} check)`,
  at => `mcp__server-${at}__*`,
]
const rules = Array.from({ length: count }, (_, at) => shapes[at % shapes.length](at))
const third = Math.ceil(count / 3)
const verdict = { level: 'trusted', isApproved: true }
const signal = new AbortController().signal

/** Returns the median microseconds of one check. */
async function measure(name, options, asked) {
  const permission = await permissionRules(options).setup({
    signal,
    host: { clock: { now: () => Date.now() } },
    report() {},
    use: () => ({ first: ask => ask({ judge: () => verdict }, { signal }) }),
  })
  for (let at = 0; at < 500; at++) await permission.check(asked, { signal })
  const taken = []
  for (let at = 0; at < times; at++) {
    const start = performance.now()
    await permission.check(asked, { signal })
    taken.push((performance.now() - start) * 1000)
  }
  taken.sort((a, b) => a - b)
  micros[name] = taken[times >> 1]
}

function request(name, parts = {}) {
  const command = promptCommand({ name, source: 'user', model: 'large', load: () => ({ template: '' }) })
  return {
    tool: 'Skill',
    content: name,
    entry: { name, command, provider: '', override: 'on', isQualified: false },
    trust: 'trusted',
    caller: 'model',
    args: '',
    ...parts,
  }
}

const mixed = { deny: rules.slice(0, third), ask: rules.slice(third, 2 * third), allow: rules.slice(2 * third) }
const bash = content => request('x', { tool: 'Bash', content })
await measure('skill, no rule matches', { ...mixed, safe: false }, request('nothing:like:this'))
await measure('skill, the last allow rule', { allow: [...rules, 'Skill(last)'] }, request('last'))
await measure('skill, the last deny rule', { deny: [...rules, 'Skill(last)'] }, request('last'))
await measure('Bash, no rule matches', { ...mixed, safe: false }, bash('git log --oneline -20'))
await measure(
  'Bash, a script of ten lines',
  { ...mixed, safe: false },
  bash('cd a && make "x y" | tee log; echo done > f\n'.repeat(10)),
)
await measure(
  'three settings files that exist',
  {
    ...mixed,
    files: ['package.json', 'turbo.json', 'bench/package.json'].map((name, at) => ({
      path: `${process.cwd()}/${name}`,
      source: `f${at}`,
    })),
  },
  request('x'),
)
const patterns = Object.fromEntries(
  Array.from({ length: count }, (_, at) => [at % 2 ? `own-${at}-*` : `skill-${at}`, 'deny']),
)
await measure(
  'a map of wildcards',
  { wildcards: [{ source: 'map', map: { skill: patterns } }], safe: false },
  request('nothing'),
)

/**
 * Returns the milliseconds to judge a script for the first time, by rules that allow and deny: the median, and the 99th
 * percentile.
 */
async function measureScripts() {
  const permission = await permissionRules({ deny: ['Bash(touch:*)', 'Bash(git push:*)'], allow: ['Bash'] }).setup({
    signal,
    host: { clock: { now: () => Date.now() } },
    report() {},
    use: () => ({ first: ask => ask({ judge: () => verdict }, { signal }) }),
  })
  const commands = [
    'git log --oneline -5',
    'nice -n 5 xargs -n1 grep -r x .',
    'find . -name "*.md" -exec cat {} ;',
    'echo "$(id)" > f',
    "sh -c 'cd a && make'",
    'for i in a b; do cat "$i"; done',
    'cat <<E\nx\nE\n',
  ]
  const joins = ['; ', ' && ', ' | ', '\n']
  const taken = []
  for (let at = 0; at < 2200; at++) {
    const script = Array.from(
      { length: 1 + (at % 12) },
      (_, part) => `${commands[(at * 31 + part * 7) % commands.length]} ${at}${joins[(at + part) % joins.length]}`,
    ).join('')
    const start = performance.now()
    await permission.check(bash(script), { signal })
    if (at >= 200) taken.push(performance.now() - start)
  }
  taken.sort((a, b) => a - b)
  return { median: taken[1000], slowest: taken[1980] }
}

console.log(JSON.stringify({ micros, scripts: await measureScripts() }))
