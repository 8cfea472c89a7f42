import { describe, expect, onTestFinished, test } from 'vitest'
import { distributionNames, inputFor, opened, timesIn } from '../../distributions/test/contract/every-distribution.js'
import { connect, textOf } from '../test/serving.js'
import { SkillsServer } from './index.js'

/** Serves a distribution over a project in which it finds skills, and connects a client. */
async function served(name: string, rules: { readonly allow?: readonly string[]; readonly deny?: readonly string[] }) {
  const { skills, distribution } = await opened(name, { rules })
  const server = await SkillsServer.open({ skills, distribution, watches: false, onDiagnostic: () => {} })
  onTestFinished(() => server.close())
  return { client: await connect(server), distribution }
}

describe.each(distributionNames)('a client of skills mcp with %s', name => {
  test('is given the text of a skill once, by the name that it was told', async () => {
    const { client, distribution } = await served(name, { allow: ['Skill'] })
    const [tool] = (await client.listTools()).tools
    if (tool === undefined) throw new Error('There is no tool.')
    expect(tool.description).toContain('deploy-site')
    const { takesArgs, input } = inputFor(tool, distribution, { name: 'deploy-site', args: 'to production' })
    const answer = await client.callTool({ name: tool.name, arguments: input })
    expect(answer.isError ?? false).toBe(false)
    expect(timesIn(textOf(answer), 'to production')).toEqual([1, 1, takesArgs ? 1 : 0])
  })

  test('is told what is wrong with a name that is refused', async () => {
    const { client, distribution } = await served(name, { allow: ['Skill'], deny: ['Skill(other)'] })
    const [tool] = (await client.listTools()).tools
    if (tool === undefined) throw new Error('There is no tool.')
    for (const refused of ['other', 'no-such-skill']) {
      const { input } = inputFor(tool, distribution, { name: refused, args: '' })
      const answer = await client.callTool({ name: tool.name, arguments: input })
      expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringContaining(refused)])
    }
  })
})
