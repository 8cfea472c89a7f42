// @ts-check
import { skillsWithPath } from '../told.mjs'
import { besideModel } from '../../../../../scripts/record/isolated.mjs'
import { own, textsIn } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@moonshot-ai/kimi-code',
  folders: { project: '.kimi-code', home: '.kimi-code' },
  places: ['project/.kimi/skills', 'home/.kimi/skills', 'project/.kimi-code/skill'],
  bin: ['.bin/kimi'],
  // A shortened description is not the one of the skill.
  list: async place =>
    (await listed(place)).map(({ description, ...skill }) =>
      description.endsWith('...') ? skill : { ...skill, description },
    ),
  told: async place => ({ listed: await listed(place) }),
}

const variables = {
  KIMI_MODEL_NAME: 'model',
  KIMI_MODEL_API_KEY: own.apiKey,
  KIMI_MODEL_BASE_URL: own.baseUrl,
  KIMI_MODEL_PROVIDER_TYPE: 'openai',
}

/** Reads the skills in the program's first request. @param {import('../../../../../scripts/record/isolated.mjs').Place} place */
async function listed(place) {
  const { requests } = await besideModel(place, ['-p', 'Hello'], variables)
  const text = textsIn(JSON.parse(requests[0] ?? '""')).find(one => one.includes('\n## Available skills\n')) ?? ''
  return skillsWithPath(text.split('\n## Available skills\n')[1] ?? '')
}
