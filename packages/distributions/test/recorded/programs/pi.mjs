// @ts-check
import path from 'node:path'
import { taggedSkills } from '../told.mjs'
import { answerOf, besideModel } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@earendil-works/pi-coding-agent',
  folders: { project: '.pi', home: '.pi/agent' },
  bin: ['.bin/pi'],
  prepare: home =>
    writeJson(path.join(home, '.pi/agent/models.json'), {
      providers: { own: { ...own, api: 'openai-completions', models: [{ id: 'model' }] } },
    }),
  list: async place => {
    const asked = [{ id: 1, type: 'get_commands' }]
    /** @typedef {import('../../../../../scripts/record/programs.mjs').Found & { source: string, sourceInfo: { path: string } }} Command */
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
}

/** Options for pi, which reads a project only if it was approved. */
const withOwn = ['--approve', '--provider', 'own', '--model', 'model']
