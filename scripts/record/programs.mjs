// @ts-check
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'

/**
 * What a program says of one tree. Paths are relative to the tree's folder; a program that prints no paths gives none.
 * @typedef {{ name: string, description?: string, path?: string }} Found
 * @typedef {{ cwd: string, home: string, bin: string, signal: AbortSignal }} Place
 * @typedef {object} Program
 * @property {string} packageName of npm, where its binary comes from
 * @property {string} folder that it reads for certain, in a project and at home
 * @property {readonly string[]} bin where the binary is below `node_modules`
 * @property {(home: string) => void} [prepare] settings without which it would look at nothing
 * @property {(place: Place) => Promise<readonly Found[]>} list
 */

/** By the name of the distribution that does as it does. @type {Readonly<Record<string, Program>>} */
export const programs = {
  openskills: {
    packageName: 'openskills',
    folder: '.claude',
    bin: ['.bin/openskills'],
    list: async place => {
      const found = []
      const lines = (await output(place, ['list'])).split('\n')
      for (const [at, line] of lines.entries()) {
        const name = /^ {2}(\S.*?) +\((?:project|global)\)$/.exec(line)?.[1]
        if (name !== undefined) found.push({ name, description: (lines[at + 1] ?? '').trim() })
      }
      return found
    },
  },
  'gemini-cli': {
    packageName: '@google/gemini-cli',
    folder: '.gemini',
    bin: ['.bin/gemini'],
    // A folder that is not trusted has no skills.
    prepare: home => {
      mkdirSync(path.join(home, '.gemini'), { recursive: true })
      writeFileSync(path.join(home, '.gemini/settings.json'), '{"security":{"folderTrust":{"enabled":false}}}\n')
    },
    list: async place => {
      const listed = (await output(place, ['skills', 'list'])).split(/^Discovered Agent Skills:\n/m)[1] ?? ''
      const entries = listed.matchAll(
        /^(\S.*) \[(?:Enabled|Disabled)\]\n {2}Description: ([^]*?)\n {2}Location: +(.*)$/gm,
      )
      return [...entries].map(([, name = '', description = '', file = '']) => ({ name, description, path: file }))
    },
  },
  opencode: {
    packageName: 'opencode-ai',
    folder: '.opencode',
    bin: ['opencode-linux-x64/bin/opencode', 'opencode-linux-arm64/bin/opencode', 'opencode-darwin-arm64/bin/opencode'],
    list: async place => {
      /** @type {readonly { name: string, description?: string, location: string }[]} */
      const skills = JSON.parse(await output(place, ['debug', 'skill']))
      return skills
        .filter(({ location }) => location !== '<built-in>')
        .map(({ name, description, location }) => ({
          name,
          ...(description !== undefined && { description }),
          path: location,
        }))
    },
  },
  codex: {
    packageName: '@openai/codex',
    folder: '.agents',
    bin: ['.bin/codex'],
    list: async place => {
      const [{ skills = [] } = {}] = await codexSkills(place)
      return skills
        .filter(({ scope }) => scope !== 'system')
        .map(({ name, description, path: file }) => ({ name, description, path: file }))
    },
  },
}

/**
 * Starts a program with a home of its own, no variables of ours and no network.
 * @param {Place} place @param {readonly string[]} args
 */
function start({ cwd, home, bin, signal }, args) {
  const isolated = ['--net', ...(process.getuid?.() === 0 ? [] : ['--map-root-user']), '--', bin, ...args]
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'dumb', NO_COLOR: '1' }
  return spawn('unshare', isolated, { cwd, env, signal, killSignal: 'SIGKILL', stdio: ['pipe', 'pipe', 'pipe'] })
}

/**
 * What a program prints. Rejects when it fails. @param {Place} place @param {readonly string[]} args @returns
 * {Promise<string>}
 */
function output(place, args) {
  const child = start(place, args)
  child.stdin.end()
  let printed = ''
  let complained = ''
  child.stdout.setEncoding('utf8').on('data', text => (printed += text))
  child.stderr.setEncoding('utf8').on('data', text => (complained += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve(printed)
      else reject(new Error(`${place.bin} ${args.join(' ')} ended with ${code}: ${complained.trim().slice(-500)}`))
    })
  })
}

/**
 * Codex tells of skills by its app server alone, one JSON message a line.
 * @param {Place} place
 * @returns {Promise<readonly { skills: { name: string, description: string, path: string, scope: string }[] }[]>}
 */
async function codexSkills(place) {
  const child = start(place, ['app-server'])
  const failed = new Promise((_, reject) => child.on('error', reject))
  const ended = new Promise(resolve => child.on('close', resolve))
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  child.stderr.resume()
  /** @param {object} message */
  const send = message => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const answers = async () => {
    send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'skills', version: '1' } } })
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line)
      if (id === 2) return result.data
      if (id !== 1) continue
      send({ method: 'initialized' })
      send({ id: 2, method: 'skills/list', params: { cwds: [place.cwd], forceReload: true } })
    }
    throw new Error(`${place.bin} app-server ended without an answer to skills/list.`)
  }
  try {
    return await Promise.race([answers(), failed])
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
