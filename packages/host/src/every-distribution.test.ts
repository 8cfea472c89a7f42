import { describe, expect, onTestFinished, test } from 'vitest'
import {
  distributionNames,
  inputFor,
  opened,
  timesIn,
  withoutArguments,
} from '../../distributions/test/contract/every-distribution.js'
import { openSkills } from './index.js'

/** Opens a distribution through the front door, over a project in which it finds skills. */
async function front(name: string) {
  const { tree, distribution } = await opened(name)
  const skills = await openSkills(name, {
    cwd: `${tree.path}/repo`,
    home: `${tree.path}/home`,
    env: { PATH: process.env['PATH'] },
    managed: { dirs: [] },
    bundled: false,
    trust: { all: true },
    onAsk: () => 'allow',
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  return { skills, distribution }
}

describe.each(distributionNames)('openSkills with %s', name => {
  test('gives a model the text of a skill once through its tools', async () => {
    const { skills, distribution } = await front(name)
    const [tool] = await skills.tools()
    if (tool === undefined) throw new Error('There is no tool.')
    const { takesArgs, input } = inputFor(tool, distribution, { name: 'deploy-site', args: 'to production' })
    const { text, isError } = await tool.execute(input)
    expect([isError, ...timesIn(text, 'to production')]).toEqual([false, 1, 1, takesArgs ? 1 : 0])
  })

  test('gives it once if a person types it in a session', async () => {
    const { skills } = await front(name)
    const session = await skills.session()
    const { text } = await session.send('/deploy-site to production')
    expect(timesIn(text, 'to production')).toEqual([1, 1, name in withoutArguments ? 0 : 1])
  })
})
