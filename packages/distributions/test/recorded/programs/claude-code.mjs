// @ts-check
import path from 'node:path'
import { skillLines } from '../told.mjs'
import { besideModel, modelUrl } from '../../../../../scripts/record/isolated.mjs'
import { json, server, textsIn } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@anthropic-ai/claude-code',
  folders: { project: '.claude', home: '.claude' },
  bin: ['.bin/claude'],
  tellsLines: true,
  // It prints the names of skills for persons, and lists those for the model with descriptions.
  list: async place => {
    const { told, skills } = await claude(place)
    return [
      ...told.listed,
      ...skills.filter(name => !told.listed.some(one => one.name === name)).map(name => ({ name })),
    ]
  },
  told: async place => (await claude(place)).told,
  mcp: {
    tool: 'mcp__skills__Skill',
    settings: (_, cwd, args) => [path.join(cwd, '.mcp.json'), json({ mcpServers: { skills: server(args) } })],
    ask: settings => ['-p', 'Ship it.', '--mcp-config', settings, '--allowedTools', 'mcp__skills__Skill'],
    variables: {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // Otherwise the model would have to search for the tool first.
      ENABLE_TOOL_SEARCH: 'false',
    },
  },
}

/** One turn of Claude Code, which prints a line of JSON for each event. @param {import('../../../../../scripts/record/isolated.mjs').Place} place */
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

/** Returns the listing between other texts. Lines of a few skills may wrap. @param {string} request */
function claudeListing(request) {
  const text = textsIn(JSON.parse(request)).join('\n')
  const listing = /The following skills are available for use with the Skill tool:\n\n(- [^]*?)(?:\n\n|$)/.exec(text)
  return listing?.[1] ?? ''
}
