// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { besideModel, modelUrl } from './isolated.mjs'
import { programs } from './programs.mjs'

// Has a released program call a skill through `skills mcp`, in a home of its own, without a network, beside a model that
// follows a script:
//
//     npm install --prefix FOLDER opencode-ai && npm run build && node scripts/record/mcp.mjs opencode --from FOLDER
//
// It is configured as docs/guides/mcp-clients.md says. It ends with 1 where the text of the skill did not reach the model.

const skills = fileURLToPath(new URL('../../packages/cli/dist/skills.cjs', import.meta.url))
const text = 'Deploy prod now, said the skill.'

/**
 * How a program is told of the server, and asked once.
 * @typedef {object} Client
 * @property {string} tool the end of the name that it gives the tool
 * @property {(home: string, cwd: string, args: readonly string[]) => readonly [file: string, content: string]} settings
 * @property {(settings: string) => readonly string[]} ask
 * @property {Readonly<Record<string, string>>} [variables]
 */

/** @type {Readonly<Record<string, Client>>} */
const clients = {
  'claude-code': {
    tool: 'mcp__skills__Skill',
    settings: (_, cwd, args) => [path.join(cwd, '.mcp.json'), json({ mcpServers: { skills: server(args) } })],
    ask: settings => ['-p', 'Ship it.', '--mcp-config', settings, '--allowedTools', 'mcp__skills__Skill'],
    variables: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Else the model would have to search for the tool first.
      ENABLE_TOOL_SEARCH: 'false',
    },
  },
  codex: {
    // Its namespace, then its name.
    tool: 'mcp__skillsSkill',
    settings: (home, _, args) => [
      path.join(home, '.codex/config.toml'),
      [
        'model = "model"\nmodel_provider = "own"',
        '[model_providers.own]',
        `name = "own"\nbase_url = "${modelUrl}/v1"\nwire_api = "responses"`,
        '[mcp_servers.skills]',
        `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\nrequired = true`,
        '[mcp_servers.skills.tools.Skill]',
        'approval_mode = "approve"',
        '',
      ].join('\n'),
    ],
    ask: () => ['exec', '--skip-git-repo-check', 'Ship it.'],
  },
  'gemini-cli': {
    tool: 'skills_Skill',
    settings: (home, _, args) => [
      path.join(home, '.gemini/settings.json'),
      json({
        security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } },
        mcpServers: { skills: { ...server(args), trust: true } },
      }),
    ],
    ask: () => ['-p', 'Ship it.'],
    variables: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl },
  },
  opencode: {
    tool: 'skills_Skill',
    settings: (home, _, args) => [
      path.join(home, '.config/opencode/opencode.json'),
      json({
        model: 'own/model',
        provider: {
          own: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: { model: {} },
          },
        },
        mcp: { skills: { type: 'local', command: [process.execPath, ...args], enabled: true } },
      }),
    ],
    ask: () => ['run', 'Ship it.'],
  },
}

/** @param {readonly string[]} args */
const server = args => ({ command: process.execPath, args })
/** @param {object} value */
const json = value => `${JSON.stringify(value, undefined, 2)}\n`

/** @param {string} name @param {string} from @returns {Promise<string | undefined>} why it did not work */
async function tried(name, from) {
  const client = clients[name]
  const program = programs[name]
  if (client === undefined || program === undefined)
    return `There is no client "${name}". There are ${Object.keys(clients).join(', ')}.`
  const base = mkdtempSync(path.join(tmpdir(), 'mcp-client-'))
  const [home, cwd, temporary] = ['home', 'repo', 'tmp'].map(folder => path.join(base, folder))
  for (const folder of [home, cwd, temporary]) mkdirSync(folder ?? '', { recursive: true })
  // Where no program looks by itself, so that it can only be the server that found it.
  const folder = path.join(base, 'served/.claude/skills/deploy')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path.join(folder, 'SKILL.md'),
    '---\nname: deploy\ndescription: Deploys.\n---\nDeploy $ARGUMENTS now, said the skill.\n',
  )
  const args = [skills, 'mcp', '--cwd', path.join(base, 'served'), '--allow', 'Skill']
  const [file, content] = client.settings(home ?? '', cwd ?? '', args)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  const [bin = ''] = program.bin
  const place = {
    cwd: cwd ?? '',
    home: home ?? '',
    temporary: temporary ?? '',
    path: process.env['PATH'] ?? '',
    bin: path.join(path.resolve(from), 'node_modules', bin),
    signal: AbortSignal.timeout(120_000),
  }
  try {
    const call = { tool: client.tool, input: { skill: 'deploy', args: 'prod' } }
    const { requests } = await besideModel(place, client.ask(file), {
      ...client.variables,
      RECORD_MODEL_CALLS: JSON.stringify(call),
    })
    if (process.env['SHOW'] !== undefined) console.error(requests.join('\n\n'))
    return requests.some(request => request.includes(text))
      ? undefined
      : `The text of the skill is in none of its ${requests.length} requests.`
  } finally {
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

const [name = '', option, from = '.'] = process.argv.slice(2)
if (option !== '--from') throw new Error('Usage: node scripts/record/mcp.mjs PROGRAM --from FOLDER')
const problem = await tried(name, from)
console.log(problem === undefined ? `${name}: its model read the text of the skill.` : `${name}: ${problem}`)
process.exitCode = problem === undefined ? 0 : 1
