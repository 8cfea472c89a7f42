// @ts-check
import path from 'node:path'
import process from 'node:process'
import { skillLines } from '../told.mjs'
import { answerOf, besideModel, modelUrl } from '../../../../../scripts/record/isolated.mjs'
import { own, toldIn } from '../../../../../scripts/record/asking.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: '@openai/codex',
  folders: { project: '.agents', home: '.agents' },
  bin: ['.bin/codex'],
  list: async place => {
    const messages = [
      { id: 1, method: 'initialize', params: { clientInfo: { name: 'skills', version: '1' } } },
      { method: 'initialized' },
      { id: 2, method: 'skills/list', params: { cwds: [place.cwd], forceReload: true } },
    ]
    const asked = messages.map(message => ({ jsonrpc: '2.0', ...message }))
    /** @typedef {import('../../../../../scripts/record/programs.mjs').Found} Found */
    /** @type {{ result: { data: readonly { skills: readonly (Found & { enabled: boolean })[] }[] } }} */
    const { result } = await answerOf(place, ['app-server'], asked, 2)
    return result.data.flatMap(({ skills }) => skills.map(({ enabled, ...skill }) => ({ ...skill, isOff: !enabled })))
  },
  told: async place => {
    const provider = `{name="own",base_url="${own.baseUrl}",wire_api="responses"}`
    const options = ['-c', `model_providers.own=${provider}`, '-c', 'model_provider="own"', '--skip-git-repo-check']
    const turn = await besideModel(place, ['exec', ...options, 'Hello'])
    return toldIn(turn, text => {
      const [, listing = ''] = /<skills_instructions>([^]*)<\/skills_instructions>/.exec(text) ?? []
      return skillLines(listing.replace(/^- `.*$/gm, '').replace(/ ?\(file: .*\)$/gm, ''))
    })
  },
  mcp: {
    // Its namespace, then its name.
    tool: 'mcp__skillsSkill',
    settings: (home, _, args) => [
      path.join(home, '.codex/config.toml'),
      [
        'model = "model"\nmodel_provider = "own"',
        '[model_providers.own]',
        `name = "own"\nbase_url = "${modelUrl}/v1"\nwire_api = "responses"`,
        '[mcp_servers.skills]',
        `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\nrequired = true`,
        '[mcp_servers.skills.tools.Skill]',
        'approval_mode = "approve"',
        '',
      ].join('\n'),
    ],
    ask: () => ['exec', '--skip-git-repo-check', 'Ship it.'],
  },
}
