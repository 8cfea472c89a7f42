// @ts-check
import path from 'node:path'
import process from 'node:process'
import { calledAs } from '../families/called.mjs'
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
      // Or it ends its turn with the first call that is refused.
      experimental: { continue_loop_on_deny: true },
      provider: {
        own: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: own.baseUrl, apiKey: own.apiKey },
          models: { model: {} },
        },
      },
    }),
  list: async place => {
    // It ends before a pipe has taken everything.
    const toFile = ['-c', '"$0" "$@" > "$TMPDIR/skills" && cat "$TMPDIR/skills"', place.bin, 'debug', 'skill']
    /** @type {readonly { name: string, description?: string, location: string }[]} */
    const skills = JSON.parse(await output({ ...place, bin: 'sh' }, toFile))
    return skills.map(({ location, ...skill }) => ({ ...skill, path: location }))
  },
  told: async place => toldIn(await besideModel(place, ['run', 'Hello']), taggedSkills),
  called: async (place, names) => {
    const calls = { tool: 'skill', inputs: names.map(name => ({ name })) }
    const turn = await besideModel(place, ['run', 'Hello'], { RECORD_MODEL_CALLS: JSON.stringify(calls) })
    /** @type {{ messages: readonly { role: string, tool_call_id?: string, content: string }[] }} */
    const { messages } = JSON.parse(turn.requests.at(-1) ?? '{"messages":[]}')
    const results = messages.filter(({ role }) => role === 'tool')
    return calledAs(
      names,
      toldIn(turn, taggedSkills).listed.map(({ name }) => name),
      names.map((_, at) => results.find(one => one.tool_call_id === `c${at}`)?.content),
    )
  },
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
