import { Invoker } from '@skills/invocation'
import { enginePort, modelTools, skillTool } from '@skills/invocation/skill-tool'
import { describe, expect, it } from 'vitest'
import { distributionNames, inputFor, opened, timesIn, withoutArguments, yes } from './every-distribution.js'
import { modelText } from '../conformance/row.js'

const args = 'to production'
const call = { name: 'deploy-site', args }

describe.each(distributionNames)('%s', name => {
  it('gives a model the text of a skill once through the tool, with the arguments that it takes', async () => {
    const { skills, distribution } = await opened(name)
    const port = enginePort(skills, {
      ...distribution.port,
      invoker: new Invoker(skills, { ...distribution.invoker, onAsk: yes }),
    })
    const tool = await skillTool(port, distribution.tool)
    const { takesArgs, input } = inputFor(tool, distribution, call)
    expect(await tool.validateInput(input)).toEqual({ result: true })
    const outcome = await tool.call(input)
    const text = modelText(outcome) + tool.toToolResult({ outcome }, 't').content
    expect(timesIn(text, args)).toEqual([1, 1, takesArgs ? 1 : 0])
  })

  it.each(['results', 'messages'] as const)('does so through the tools of frameworks, in %s', async gives => {
    const { skills, distribution } = await opened(name)
    const port = enginePort(skills, {
      ...distribution.port,
      invoker: new Invoker(skills, { ...distribution.invoker, onAsk: yes }),
    })
    const [tool] = await modelTools(port, { tool: distribution.tool, gives })
    if (tool === undefined) throw new Error('There is no tool.')
    const { takesArgs, input } = inputFor(tool, distribution, call)
    const { text, messages, isError } = await tool.answer(input)
    expect(isError).toBe(false)
    const sent = messages.map(({ content }) => JSON.stringify(content)).join('')
    expect(timesIn(`${text}${sent}`, args)).toEqual([1, 1, takesArgs ? 1 : 0])
  })

  it('gives a model the text of a skill that a person typed, with the arguments', async () => {
    const { skills, distribution } = await opened(name)
    const invoker = new Invoker(skills, { ...distribution.invoker, onAsk: yes })
    const outcomes = (await invoker.run(`/deploy-site ${args}`)) ?? []
    const count = name in withoutArguments ? 0 : 1
    expect(timesIn(outcomes.map(modelText).join(''), args)).toEqual([1, 1, count])
  })

  it('tells a model names by which exactly those skills can be invoked', async () => {
    const { tree, folder, skills, distribution } = await opened(name)
    const below = folder.slice('repo/'.length)
    const about = (what: string): string => `---\nname: twin\ndescription: About ${what}.\n---\nThe text of ${what}.\n`
    tree.write({
      [`${folder}/twin/SKILL.md`]: about('the project'),
      [`home/${below}/twin/SKILL.md`]: about('the user'),
      [`repo/web/${below}/twin/SKILL.md`]: about('the web'),
      [`repo/api/${below}/twin/SKILL.md`]: about('the api'),
      [`repo/web/${below}/nested/SKILL.md`]: about('nested in web').replace('twin', 'nested'),
      [`repo/api/${below}/nested/SKILL.md`]: about('nested in api').replace('twin', 'nested'),
    })
    await skills.refresh()
    skills.emit('file:touched', { paths: [`${tree.path}/repo/web/x`, `${tree.path}/repo/api/x`] })
    const port = enginePort(skills, {
      ...distribution.port,
      invoker: new Invoker(skills, { ...distribution.invoker, onAsk: yes }),
    })
    const { entries, text } = await port.listing({})
    const tool = await skillTool(port, distribution.tool)
    const catalog = await skills.catalog()
    expect(entries.map(entry => entry.name)).toContain('twin')
    for (const entry of entries) {
      expect(text).toContain(entry.name)
      const described = catalog.get(entry.name)?.command.description ?? ''
      const [, what] = /About ([^.]*)\./.exec(described) ?? []
      const { input } = inputFor(tool, distribution, { name: entry.name, args: '' })
      const outcome = await tool.call(input)
      const given = modelText(outcome) + tool.toToolResult({ outcome }, 't').content
      expect([entry.name, given]).toEqual([
        entry.name,
        expect.stringContaining(entry.name === 'deploy-site' ? 'First line' : `The text of ${what}.`),
      ])
    }
  })

  it('says of a name that it refuses what is wrong with it', async () => {
    const { skills, distribution } = await opened(name, { rules: { deny: ['Skill(other)'] } })
    const port = enginePort(skills, distribution.port)
    const tool = await skillTool(port, distribution.tool)
    const unknown = await tool.validateInput(inputFor(tool, distribution, { name: 'deploy-sit', args: '' }).input)
    expect(unknown.result || unknown.message).toContain('deploy-sit')
    const denied = await tool.checkPermissions(inputFor(tool, distribution, { name: 'other', args: '' }).input)
    expect(denied).toMatchObject({ behavior: 'deny', decisionReason: { type: 'rule', rule: 'Skill(other)' } })
  })
})
