// @ts-check
import path from 'node:path'
import process from 'node:process'
import { taggedSkills } from '../told.mjs'
import { besideModel, modelUrl, output } from '../../../../../scripts/record/isolated.mjs'
import { json, own, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: 'opencode-ai',
  folders: { project: '.opencode', home: '.opencode' },
  // It reads all files at the same time and keeps the one that finishes last.
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
  mcp: {
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
