// @ts-check
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { besideModel } from './isolated.mjs'
import { programs } from './programs.mjs'

// Has a released program call a skill through `skills mcp`. It runs in a home of its own, without a network, beside a
// model that follows a script:
//
//     npm install --prefix FOLDER opencode-ai && npm run build && node scripts/record/mcp.mjs opencode --from FOLDER
//
// It is configured as docs/guides/mcp-clients.md says. Ends with 1 if the text of the skill did not reach the model.

const skills = fileURLToPath(new URL('../../packages/cli/dist/skills.cjs', import.meta.url))
const text = 'Deploy prod now, said the skill.'

/** @param {string} name @param {string} from @returns {Promise<string | undefined>} why it did not work */
async function tried(name, from) {
  const program = programs[name]
  const client = program?.mcp
  if (client === undefined || program === undefined)
    return `There is no client "${name}". There are ${Object.keys(programs)
      .filter(one => programs[one]?.mcp !== undefined)
      .join(', ')}.`
  const base = mkdtempSync(path.join(tmpdir(), 'mcp-client-'))
  const [home, cwd, temporary] = ['home', 'repo', 'tmp'].map(folder => path.join(base, folder))
  for (const folder of [home, cwd, temporary]) mkdirSync(folder ?? '', { recursive: true })
  // A place where no program looks by itself, so that only the server can have found the skill.
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
