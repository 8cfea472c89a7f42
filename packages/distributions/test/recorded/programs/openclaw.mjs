// @ts-check
import path from 'node:path'
import { taggedSkills } from '../told.mjs'
import { besideModel, output } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn, writeJson } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: 'openclaw',
  // The workspace's own folder is `skills`, without a folder of the program around it.
  folders: { project: '.agents', home: '.openclaw' },
  places: ['project/.openclaw/skills', 'home/.openclaw/workspace/skills', 'home/skills'],
  bin: ['.bin/openclaw'],
  list: async place => {
    configure(place)
    /** @type {{ skills: readonly { name: string, description: string }[] }} */
    const { skills } = JSON.parse(await output(place, ['skills', 'list', '--json']))
    return skills.map(({ name, description }) => ({ name, description }))
  },
  told: async place => {
    configure(place)
    return toldIn(await besideModel(place, ['agent', '--local', '--agent', 'main', '--message', 'Hello']), taggedSkills)
  },
}

/** Names a model, and the working folder as the workspace. @param {{ home: string, cwd: string }} place */
function configure({ home, cwd }) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const model = { id: 'model', name: 'model', reasoning: false, input: ['text'], cost }
  writeJson(path.join(home, '.openclaw/openclaw.json'), {
    models: {
      mode: 'merge',
      providers: {
        own: { ...own, api: 'openai-completions', models: [{ ...model, contextWindow: 200_000, maxTokens: 8192 }] },
      },
    },
    agents: { defaults: { model: { primary: 'own/model' }, workspace: cwd, skipBootstrap: true } },
  })
}
