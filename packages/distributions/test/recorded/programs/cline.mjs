// @ts-check
import path from 'node:path'
import { namedSkills } from '../told.mjs'
import { besideModel } from '../../../../../scripts/record/isolated.mjs'
import { own, textsIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: 'cline',
  // It names skills in the order in which the disk lists their folders.
  sorted: true,
  folders: { project: '.cline', home: '.cline' },
  places: ['project/.clinerules/skills', 'home/.cline/data/settings/skills', 'home/Documents/Cline/Skills'],
  bin: ['@cline/cli-linux-x64/bin/cline', '@cline/cli-linux-arm64/bin/cline', '@cline/cli-darwin-arm64/bin/cline'],
  prepare: home =>
    writeJson(path.join(home, '.cline/data/settings/providers.json'), {
      version: 1,
      lastUsedProvider: 'openai-compatible',
      modes: {},
      providers: {
        'openai-compatible': {
          settings: { provider: 'openai-compatible', model: 'model', ...own },
          updatedAt: '2026-11-26T00:00:00.000Z',
          tokenSource: 'manual',
        },
      },
    }),
  list: async place => {
    const found = []
    for (const { name } of await named(place)) found.push({ name, ...(await loaded(place, name)) })
    return found
  },
  told: async place => ({ listed: await named(place) }),
}

const asked = ['--json', 'Say hello.']

/** Reads the names in the description of the tool. @param {import('../../../../../scripts/record/isolated.mjs').Place} place */
async function named(place) {
  const { requests } = await besideModel(place, asked)
  const texts = requests.flatMap(request => textsIn(JSON.parse(request)))
  return texts.map(namedSkills).find(found => found.length > 0) ?? []
}

/**
 * Returns the description that stands before a skill's text, by calling the tool.
 * @param {import('../../../../../scripts/record/isolated.mjs').Place} place @param {string} name
 */
async function loaded(place, name) {
  const call = { RECORD_MODEL_CALLS: JSON.stringify({ tool: 'skills', input: { skill: name } }) }
  const { requests } = await besideModel(place, asked, call)
  const texts = requests.flatMap(request => textsIn(JSON.parse(request)))
  const [, description] =
    texts
      .map(text => /^<command-name>[^]*?<command-instructions>\nDescription: ([^]*?)\n\n/.exec(text))
      .find(match => match !== null) ?? []
  return description === undefined ? {} : { description }
}
