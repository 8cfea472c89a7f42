// @ts-check
import path from 'node:path'
import { taggedSkills } from '../told.mjs'
import { besideModel } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@qwen-code/qwen-code',
  folders: { project: '.qwen', home: '.qwen' },
  places: ['project/.qwen/skill', 'home/.qwen/skill'],
  bin: ['.bin/qwen'],
  prepare: home =>
    writeJson(path.join(home, '.qwen/settings.json'), { security: { auth: { selectedType: 'openai' } } }),
  list: async place => {
    const turn = await besideModel(place, asked, variables)
    const { listed: escaped } = toldIn(turn, taggedSkills)
    const listed = escaped.map(one => ({ ...one, description: unescaped(one.description) }))
    // People can also type skills that no model is told of.
    const first = turn.printed.split('\n').find(line => line.includes('"subtype":"init"')) ?? '{}'
    /** @type {{ slash_commands?: readonly string[] }} */
    const { slash_commands: typed = [] } = JSON.parse(first)
    const others = typed.filter(name => !listed.some(one => one.name === name))
    return [...listed, ...others.map(name => ({ name }))]
  },
  told: async place => toldIn(await besideModel(place, asked, variables), taggedSkills),
}

const asked = ['-p', 'Hello', '--output-format', 'stream-json']
const variables = { OPENAI_API_KEY: own.apiKey, OPENAI_BASE_URL: own.baseUrl, OPENAI_MODEL: 'model' }

const signs = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** @param {string} text */
const unescaped = text => text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name) => Reflect.get(signs, name))
