// @ts-check
import path from 'node:path'
import { taggedSkills } from '../told.mjs'
import { besideModel, modelUrl, output } from '../../../../../scripts/record/isolated.mjs'
import { json, server, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@google/gemini-cli',
  folders: { project: '.gemini', home: '.gemini' },
  // It lists skills in the order in which reading their files ended.
  sorted: true,
  bin: ['.bin/gemini'],
  // An untrusted folder has no skills.
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
  mcp: {
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
}
