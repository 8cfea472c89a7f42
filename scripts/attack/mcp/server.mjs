// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const program = fileURLToPath(import.meta.resolve('@skills/cli/dist/skills.cjs'))
export const token = 'the-token-of-this-attack'

/**
 * Writes skills of a user: one that returns its arguments, one that asks for permission, and as many others as are
 * wanted.
 * @param {string} folder
 * @param {number} others
 */
export function writeSkills(folder, others = 0) {
  const skills = new Map([
    ['echo', 'Echo <$ARGUMENTS>.'],
    ['asks', 'It ran: !`echo yes`'],
  ])
  for (let at = 0; at < others; at++) skills.set(`other-${at}`, 'Nothing.')
  for (const [name, body] of skills) {
    const home = path.join(folder, 'home/.claude/skills', name)
    mkdirSync(home, { recursive: true })
    writeFileSync(path.join(home, 'SKILL.md'), `---\nname: ${name}\ndescription: Does ${name}.\n---\n${body}\n`)
  }
  mkdirSync(path.join(folder, 'repo/.git'), { recursive: true })
}

/** @param {string} folder */
export const serverArgs = folder => [
  program,
  'mcp',
  '--home',
  path.join(folder, 'home'),
  '--cwd',
  path.join(folder, 'repo'),
]

/**
 * Starts the program as a server over HTTP.
 * @param {string} folder
 */
export async function listen(folder) {
  const child = spawn(process.execPath, [...serverArgs(folder), '--http'], {
    env: { ...process.env, SKILLS_MCP_TOKEN: token },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  while (!said.includes('until Ctrl-C')) said += String((await once(child.stderr, 'data'))[0])
  return {
    url: / at (\S+), until/.exec(said)?.[1] ?? '',
    /** Returns the peak memory in MiB. */
    peak: () =>
      Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end() {
      child.kill('SIGINT')
      await ended
    },
  }
}

/**
 * @param {string} url
 * @param {boolean} answer the user's answer to each question
 */
export async function clientOf(url, answer) {
  const client = new Client({ name: 'attack', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { allow: answer } }))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  )
  return client
}

/** @param {string} folder */
export async function clientOverStdio(folder) {
  const client = new Client({ name: 'attack', version: '1' })
  const transport = new StdioClientTransport({ command: process.execPath, args: serverArgs(folder) })
  await client.connect(transport)
  return Object.assign(client, {
    /** Returns the server's processor time in milliseconds; other programs of the machine do not add to it. */
    workMs() {
      const [user, system] =
        readFileSync(`/proc/${transport.pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11) ?? []
      // Linux counts in hundredths of a second.
      return (Number(user) + Number(system)) * 10
    },
  })
}

/**
 * @param {Client} client
 * @param {string} skill
 * @param {string} args
 */
export async function callOf(client, skill, args) {
  const { content } = await client.callTool({ name: 'Skill', arguments: { skill, args } })
  return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}
