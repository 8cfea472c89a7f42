// @ts-check
import path from 'node:path'
import { taggedSkills } from '../told.mjs'
import { besideModel, output } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  // The program itself: `@kilocode/cli` only starts it.
  packageName: '@kilocode/cli-linux-x64',
  folders: { project: '.kilo', home: '.kilo' },
  places: [
    'project/.kilo/skill',
    'project/.kilocode/skills',
    'project/.kilocode/skill',
    'home/.kilo/skill',
    'home/.kilocode/skills',
    'home/.config/kilo/skills',
    'home/.config/kilo/skill',
  ],
  bin: ['@kilocode/cli-linux-x64/bin/kilo'],
  prepare: home =>
    writeJson(path.join(home, '.config/kilo/kilo.json'), {
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
    return skills.map(({ name, description, location }) => ({
      name,
      ...(description !== undefined && { description }),
      path: location,
    }))
  },
  told: async place => toldIn(await besideModel(place, ['run', 'Hello']), taggedSkills),
}
