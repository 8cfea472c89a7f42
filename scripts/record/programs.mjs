// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { taggedSkills, skillLines } from '../../packages/distributions/test/recorded/told.mjs'
import { answerOf, besideModel, modelUrl, output } from './isolated.mjs'

/**
 * What a program says of one tree. A program that prints no paths, or no descriptions, gives none.
 * @typedef {{ name: string, description?: string, path?: string }} Found
 * @typedef {import('./isolated.mjs').Place} Place
 * @typedef {import('../../packages/distributions/test/recorded/told.mjs').Listed} Listed
 * @typedef {{ listed: readonly Listed[], room?: { window: number, length: number } }} Told in the order that they stand
 * in, and of a listing that has to find room the tokens of the model's window and the characters that it takes
 * @typedef {object} Program
 * @property {string} packageName of npm, where its binary comes from
 * @property {import('../../packages/distributions/test/recorded/trees.mjs').Folders} folders that it reads for certain
 * @property {readonly string[]} bin where the binary is below `node_modules`
 * @property {(home: string) => void} [prepare] settings without which it would look at nothing
 * @property {(place: Place) => Promise<readonly Found[]>} list
 * @property {(place: Place) => Promise<Told>} [told] of which skills it tells its model
 * @property {readonly string[]} [unfixed] trees of which it does not always list the same skill of that name
 * @property {boolean} [sorted] whether what is told is sorted, where the order of the program is not fixed
 */

/** @param {string} file @param {object} content */
function writeJson(file, content) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(content)}\n`)
}

/** A provider of models in the form of OpenAI, which many programs may be given. */
const own = { baseUrl: `${modelUrl}/v1`, apiKey: 'none' }

/**
 * What a reader finds in the first request that it finds skills in: a model may be asked for a title, say, before.
 * @param {{ requests: readonly string[] }} turn @param {(text: string) => readonly Listed[]} read
 */
function toldIn({ requests }, read) {
  const found = requests.map(request => textsIn(JSON.parse(request)).flatMap(read))
  return { listed: found.find(listed => listed.length > 0) ?? [] }
}

/** @param {unknown} value @returns {readonly string[]} */
function textsIn(value) {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** By the name of the distribution that does as it does. @type {Readonly<Record<string, Program>>} */
export const programs = {
  'claude-code': {
    packageName: '@anthropic-ai/claude-code',
    folders: { project: '.claude', home: '.claude' },
    bin: ['.bin/claude'],
    // It names the skills that a person may invoke, and describes to its model those that the model may.
    list: async place => {
      const { told, skills } = await claude(place)
      return [
        ...told.listed,
        ...skills.filter(name => !told.listed.some(one => one.name === name)).map(name => ({ name })),
      ]
    },
    told: async place => (await claude(place)).told,
  },
  codex: {
    packageName: '@openai/codex',
    folders: { project: '.agents', home: '.agents' },
    bin: ['.bin/codex'],
    list: async place => {
      const messages = [
        { id: 1, method: 'initialize', params: { clientInfo: { name: 'skills', version: '1' } } },
        { method: 'initialized' },
        { id: 2, method: 'skills/list', params: { cwds: [place.cwd], forceReload: true } },
      ]
      const asked = messages.map(message => ({ jsonrpc: '2.0', ...message }))
      /** @type {{ result: { data: readonly { skills: readonly Found[] }[] } }} */
      const { result } = await answerOf(place, ['app-server'], asked, 2)
      return result.data.flatMap(({ skills }) => skills)
    },
    told: async place => {
      const provider = `{name="own",base_url="${own.baseUrl}",wire_api="responses"}`
      const options = ['-c', `model_providers.own=${provider}`, '-c', 'model_provider="own"', '--skip-git-repo-check']
      const turn = await besideModel(place, ['exec', ...options, 'Hello'])
      return toldIn(turn, text => {
        const [, listing = ''] = /<skills_instructions>([^]*)<\/skills_instructions>/.exec(text) ?? []
        return skillLines(listing.replace(/^- `.*$/gm, '').replace(/ ?\(file: .*\)$/gm, ''))
      })
    },
  },
  'gemini-cli': {
    packageName: '@google/gemini-cli',
    folders: { project: '.gemini', home: '.gemini' },
    // It tells of skills in the order in which their files were read.
    sorted: true,
    bin: ['.bin/gemini'],
    // A folder that is not trusted has no skills.
    prepare: home =>
      writeJson(path.join(home, '.gemini/settings.json'), {
        security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } },
      }),
    list: async place => {
      const listed = (await output(place, ['skills', 'list'])).split(/^Discovered Agent Skills:\n/m)[1] ?? ''
      const entries = listed.matchAll(
        /^(\S.*) \[(?:Enabled|Disabled)\]\n {2}Description: ([^]*?)\n {2}Location: +(.*)$/gm,
      )
      return [...entries].map(([, name = '', description = '', file = '']) => ({ name, description, path: file }))
    },
    told: async place => {
      const variables = { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: modelUrl }
      return toldIn(await besideModel(place, ['-p', 'Hello'], variables), taggedSkills)
    },
  },
  opencode: {
    packageName: 'opencode-ai',
    folders: { project: '.opencode', home: '.opencode' },
    // It reads all files at the same time and keeps the one that ends last.
    unfixed: ['one name in project and home'],
    bin: ['opencode-linux-x64/bin/opencode', 'opencode-linux-arm64/bin/opencode', 'opencode-darwin-arm64/bin/opencode'],
    prepare: home =>
      writeJson(path.join(home, '.config/opencode/opencode.json'), {
        model: 'own/model',
        provider: {
          own: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: own.baseUrl, apiKey: own.apiKey },
            models: { model: {} },
          },
        },
      }),
    list: async place => {
      /** @type {readonly { name: string, description?: string, location: string }[]} */
      const skills = JSON.parse(await output(place, ['debug', 'skill']))
      return skills.map(({ location, ...skill }) => ({ ...skill, path: location }))
    },
    told: async place => toldIn(await besideModel(place, ['run', 'Hello']), taggedSkills),
  },
  openskills: {
    packageName: 'openskills',
    folders: { project: '.claude', home: '.claude' },
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
  pi: {
    packageName: '@earendil-works/pi-coding-agent',
    folders: { project: '.pi', home: '.pi/agent' },
    bin: ['.bin/pi'],
    prepare: home =>
      writeJson(path.join(home, '.pi/agent/models.json'), {
        providers: { own: { ...own, api: 'openai-completions', models: [{ id: 'model' }] } },
      }),
    list: async place => {
      const asked = [{ id: 1, type: 'get_commands' }]
      /** @typedef {Found & { source: string, sourceInfo: { path: string } }} Command */
      /** @type {{ data: { commands: readonly Command[] } }} */
      const { data } = await answerOf(place, [...withOwn, '--mode', 'rpc'], asked, 1)
      return data.commands
        .filter(({ source }) => source === 'skill')
        .map(({ name, description, sourceInfo }) => ({
          name: name.replace(/^skill:/, ''),
          ...(description !== undefined && { description }),
          path: sourceInfo.path,
        }))
    },
    told: async place => toldIn(await besideModel(place, [...withOwn, '-p', 'Hello']), taggedSkills),
  },
  'vercel-skills': {
    packageName: 'skills',
    folders: { project: '.agents', home: '.agents' },
    bin: ['.bin/skills'],
    list: async place => {
      const found = []
      for (const scope of [[], ['-g']]) {
        /** @type {readonly { name: string, path: string }[]} */
        const skills = JSON.parse(await output(place, ['list', ...scope, '--json']))
        found.push(...skills.map(({ name, path: folder }) => ({ name, path: `${folder}/SKILL.md` })))
      }
      return found
    },
  },
}

/** pi looks into a project that was approved alone. */
const withOwn = ['--approve', '--provider', 'own', '--model', 'model']

/** One turn of Claude Code, which prints a line of JSON for each event. @param {Place} place */
async function claude(place) {
  const variables = {
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
  const args = ['-p', 'Hello', '--output-format', 'stream-json', '--verbose']
  const { printed, requests } = await besideModel(place, args, variables)
  const events = printed
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  /** @type {readonly string[]} */
  const skills = events.find(({ subtype }) => subtype === 'init').skills
  /** @type {readonly { contextWindow: number }[]} */
  const [model] = Object.values(events.find(({ type }) => type === 'result').modelUsage)
  const listing = requests.map(claudeListing).join('')
  return {
    skills,
    told: { listed: skillLines(listing), room: { window: model?.contextWindow ?? 0, length: listing.length } },
  }
}

/** Between other texts, and with lines of a few skills that go on. @param {string} request */
function claudeListing(request) {
  const text = textsIn(JSON.parse(request)).join('\n')
  const listing = /The following skills are available for use with the Skill tool:\n\n(- [^]*?)(?:\n\n|$)/.exec(text)
  return listing?.[1] ?? ''
}
