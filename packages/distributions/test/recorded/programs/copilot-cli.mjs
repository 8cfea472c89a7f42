// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { namedSkills, taggedSkills } from '../told.mjs'
import { besideModel, output } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@github/copilot',
  folders: { project: '.github', home: '.copilot' },
  places: ['project/.copilot/skills', 'home/.github/skills', 'project/.github/copilot/skills'],
  bin: ['@github/copilot-linux-x64/copilot', '@github/copilot-linux-arm64/copilot'],
  list: async place => {
    /** @type {readonly { name: string, description: string, path: string }[]} */
    const skills = JSON.parse(await output(place, ['skill', 'list', '--json']))
    return skills.map(skill => ({ name: skill.name, description: skill.description, path: fileOf(skill.path) }))
  },
  told: async place =>
    toldIn(await besideModel(place, ['-p', 'Hello', '--allow-all-tools'], byok), text => [
      ...taggedSkills(text),
      ...namedSkills(text),
    ]),
}

/** Variables that name a model of one's own, which needs no account. */
const byok = {
  COPILOT_OFFLINE: 'true',
  COPILOT_PROVIDER_BASE_URL: own.baseUrl,
  COPILOT_PROVIDER_API_KEY: own.apiKey,
  COPILOT_MODEL: 'model',
}

/** Returns the file of a skill that is listed with its folder. @param {string} place */
function fileOf(place) {
  if (!existsSync(place) || !statSync(place).isDirectory()) return place
  return path.join(place, readdirSync(place).find(name => /^skill\.md$/i.test(name)) ?? '')
}
