// node bench/measure/own-commands.mjs FOLDER [BUILD]: takes the commands that the skills in a folder embed, or show in
// a bash fence for a model to run. Prints which of them their own allowed-tools cover as permission rules, and what
// judging one costs. BUILD is the root of another build.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promptCommand } from '@skills/core'
import { parseHead, readFields } from '@skills/skill-md'
import { findEmbeddedCommands } from '@skills/expansion'

const [folder = '.', build] = process.argv.slice(2)
const { permissionRules } = await import(
  build === undefined ? '@skills/permission-rules' : path.resolve(build, 'plugins/permission-rules/dist/index.js')
)
const verdict = { level: 'trusted', isApproved: true }
const { signal } = new AbortController()
const [first, later] = [[], []]
const asked = []
let [skills, commands, covered] = [0, 0, 0]

for (const file of readdirSync(folder, { recursive: true })
  .filter(name => name.endsWith('.md'))
  .toSorted()) {
  const { fields: { allowedTools } = {}, body } = (await read(path.join(folder, file))) ?? {}
  const scripts =
    body === undefined ? [] : [...findEmbeddedCommands(body).map(({ script }) => script), ...shownCommands(body)]
  if (scripts.length === 0 || !allowedTools?.some(tool => tool.startsWith('Bash('))) continue
  skills += 1
  const judge = await judgeOf(allowedTools)
  for (const script of scripts) {
    const start = performance.now()
    const { behavior } = await judge(script)
    const between = performance.now()
    await judge(script)
    first.push(between - start)
    later.push(performance.now() - between)
    commands += 1
    if (behavior === 'allow') covered += 1
    else
      asked.push(
        `${file}\t${JSON.stringify(script)}\t${allowedTools.filter(tool => tool.startsWith('Bash')).join(', ')}`,
      )
  }
}
console.log(JSON.stringify({ skills, commands, covered, micros: { first: quantiles(first), later: quantiles(later) } }))
for (const one of asked) console.log(one)

function shownCommands(body) {
  const fences = [...body.matchAll(/^ *```(?:bash|sh|shell)\n([^]*?)^ *```/gm)].map(([, text]) =>
    text.replaceAll('\\\n', ' '),
  )
  return fences
    .flatMap(text => text.split('\n'))
    .map(line => line.trim())
    .filter(line => /^[\w./]/.test(line))
}

async function read(file) {
  const bytes = readFileSync(file)
  const parsed = await parseHead(bytes)
  if ('needMore' in parsed || !parsed.ok) return undefined
  return { fields: readFields(parsed.data).fields, body: bytes.toString('utf8', parsed.bodyStart) }
}

async function judgeOf(allow) {
  const permission = await permissionRules({ allow, safe: false }).setup({
    signal,
    host: { clock: { now: () => 0 } },
    report() {},
    use: () => ({ first: ask => ask({ judge: () => verdict }, { signal }) }),
  })
  const command = promptCommand({ name: 'x', source: 'user', load: () => ({ template: '' }) })
  const entry = { name: 'x', command, provider: '', override: 'on', isQualified: false }
  return content =>
    permission.check({ tool: 'Bash', content, entry, trust: 'trusted', caller: 'model', args: '' }, { signal })
}

function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = part => Math.round((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) * 1000)
  return { median: at(0.5), p99: at(0.99), most: at(1) }
}
