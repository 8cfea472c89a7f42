// #region usage
import { enginePort, searchTool } from '@skills/invocation/skill-tool'
import type { Skills } from '@skills/core'

async function searchFor(skills: Skills, input: unknown, id: string) {
  const tool = await searchTool(enginePort(skills))
  const validation = await tool.validateInput(input)
  if (!validation.result) return tool.toToolResult({ refusal: validation }, id)
  return tool.toToolResult({ outcome: await tool.call(input) }, id)
}
// #endregion usage

import { expect, it } from 'vitest'
import { allowed, engineOver, skill } from '../../test/engine.js'

it('looks for skills, as the README shows', async () => {
  const skills = engineOver({
    commands: [skill('deploy', { description: 'Ships a release.' }), skill('review')],
    permission: { check: () => allowed },
  })
  expect(await searchFor(skills, { query: 'release' }, 't1')).toEqual({
    type: 'tool_result',
    tool_use_id: 't1',
    content: '- deploy: Ships a release.',
  })
  expect(await searchFor(skills, { query: '' }, 't2')).toMatchObject({
    content: expect.stringContaining('query '),
    is_error: true,
  })
})
