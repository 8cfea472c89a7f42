// @ts-check
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

// The program and the agent example on other runtimes, as npm has them: what each prints is what this Node prints.
//
//     npm ci --prefix .ci/runtimes && node .ci/runtimes/check.mjs

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.join(here, '../..')
const program = path.join(root, 'packages/cli/dist/skills.cjs')
const installed = (/** @type {string} */ file) => path.join(here, 'node_modules', file)

/** @type {Readonly<Record<string, readonly [file: string, ...args: string[]]>>} */
const runtimes = {
  'Node 20': [installed('node20/bin/node')],
  'Node 22': [installed('node22/bin/node')],
  'Node 24': [installed('node24/bin/node')],
  Bun: [installed('@oven/bun-linux-x64/bin/bun')],
  Deno: [installed('@deno/linux-x64-glibc/deno'), 'run', '--allow-all', '--quiet'],
}

/** Commands in the order in which a user types them, because trust and installed skills stay. */
const commands = [
  ['list', '--json'],
  ['explain', 'deploy'],
  ['explain', 'broken'],
  ['listing'],
  ['search', 'site'],
  ['show', 'deploy', '--json'],
  ['lint'],
  ['lint', '--format', 'sarif'],
  ['audit', '--json'],
  ['compat', 'deploy'],
  ['trust', '.', '--yes'],
  ['render', 'deploy', '--', 'prod'],
  ['add', '../more', '--all', '--yes'],
  ['verify'],
  ['ci'],
  ['list', '--json'],
  ['runs'],
  ['nonsense'],
]

const opening = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check', version: '1' } }
const messages = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'SkillSearch', arguments: { query: 'site' } } },
]

/** @returns {string} of a project beside a home folder, made anew */
function project() {
  const base = mkdtempSync(path.join(tmpdir(), 'runtimes-'))
  const files = {
    'home/.keep': '',
    'repo/.git/HEAD': 'ref: refs/heads/main\n',
    'repo/.claude/skills/deploy/SKILL.md':
      '---\nname: deploy\ndescription: Deploys the site.\n---\nDeploy $ARGUMENTS now. !`echo from the shell`\n',
    'repo/.claude/skills/broken/SKILL.md': '---\ndescription: [\n---\nBroken.\n',
    'more/count/SKILL.md': '---\nname: count\ndescription: Counts words.\n---\nCount $ARGUMENTS.\n',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    writeFileSync(path.join(base, file), text)
  }
  return base
}

/**
 * Everything that a runtime prints of the commands, with what only names this run taken out of it.
 * @param {readonly string[]} runtime
 */
async function printedBy(runtime) {
  const base = project()
  try {
    /** @type {Record<string, string>} */
    const printed = {}
    for (const command of commands)
      printed[`${Object.keys(printed).length + 1} skills ${command.join(' ')}`] = await run(runtime, command, base)
    printed['skills mcp'] = await run(runtime, ['mcp'], base, messages.map(one => `${JSON.stringify(one)}\n`).join(''))
    return printed
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/**
 * @param {readonly string[]} runtime
 * @param {readonly string[]} args
 * @param {string} base
 * @param {string} [input] it ends once the last of it is answered
 * @returns {Promise<string>}
 */
function run([file = '', ...before], args, base, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...before, program, ...args], {
      cwd: path.join(base, 'repo'),
      env: { PATH: process.env['PATH'], HOME: path.join(base, 'home'), NO_COLOR: '1' },
    })
    let out = ''
    const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
    child.stdout.setEncoding('utf8').on('data', part => {
      out += part
      if (input !== undefined && out.includes('"id":2')) child.stdin.end()
    })
    child.stderr.setEncoding('utf8').on('data', part => (out += part))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(late)
      resolve(`${plain(out, base)}exit ${signal ?? code}\n`)
    })
    if (input === undefined) child.stdin.end()
    else child.stdin.write(input)
  })
}

/**
 * Without paths and times, and with one name for all runtimes, which hints begin with.
 * @param {string} text
 * @param {string} base
 */
function plain(text, base) {
  return text
    .replaceAll(base, 'BASE')
    .replaceAll(/\b(?:bun|deno) (?=\S*skills\.cjs)/g, 'node ')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, 'TIME')
    .replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"DATE"')
}

/** @param {readonly string[]} runtime */
function example([file = '', ...before]) {
  return execFileSync(file, [...before, path.join(root, 'examples/05-agent/dist/main.js')], {
    encoding: 'utf8',
    input: '',
    timeout: 60_000,
  })
}

const wanted = await printedBy([process.execPath])
const wantedExample = example([process.execPath])
let problems = 0
for (const [name, runtime] of Object.entries(runtimes)) {
  const printed = await printedBy(runtime)
  const others = Object.keys(wanted).filter(command => printed[command] !== wanted[command])
  for (const command of others)
    console.error(`${name}: ${command}\n-- this Node\n${wanted[command]}-- ${name}\n${printed[command]}`)
  const isExample = example(runtime) === wantedExample
  if (!isExample) console.error(`${name}: the agent example prints something else.`)
  problems += others.length + Number(!isExample)
  console.log(
    `${name}: ${commands.length + 1 - others.length} of ${commands.length + 1} commands and the agent example`,
  )
}
process.exitCode = problems > 0 ? 1 : 0
