import { expect, onTestFinished, test } from 'vitest'
import {
  abortError,
  createSkills,
  defineProvider,
  isAbortError,
  loadResult,
  promptCommand,
  SkillsError,
} from '@skills/core'
import { invocationKinds, type Message } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import { fakeHost } from '@skills/testing'
import { enginePort, formatterKind, modelTools } from '../skill-tool.js'
import { listingOf, namesFormatter, portOver, skill } from '../../test/engine.js'

const commands = [skill('deploy')]
const data = { success: true, commandName: 'deploy', status: 'inline' } as const
const shown: Message = { type: 'user', content: '<command-message>The "deploy" skill is loading</command-message>' }
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
const text: Message = { type: 'user', isMeta: true, content: [{ type: 'text', text: 'Ship it.' }, image] }

test('describes the skills there are, and names the search for others', async () => {
  const listing = portOver({ commands }, { listing: ({ searchTool }) => Promise.resolve(listingOf([`${searchTool}`])) })
  const [runs, searches] = await modelTools(listing)
  expect(await runs?.describe()).toMatch(/^Runs a skill: [^]*\n\n- SkillSearch: Does SkillSearch\.$/)
  expect(runs).toMatchObject({ name: 'Skill', isReadOnly: false, inputSchema: { required: ['skill'] } })
  expect(searches).toMatchObject({ name: 'SkillSearch', isReadOnly: true, inputSchema: { required: ['query'] } })
  expect(await searches?.describe()).toContain('none of the skills')
  const [alone, ...others] = await modelTools(listing, { search: false, tool: { listingIn: 'system', name: 'use' } })
  expect([alone?.name, others]).toEqual(['use', []])
  expect(await alone?.describe()).not.toContain('- undefined')
})

test('gives the text and the images of a skill, and the result of a fork', async () => {
  const [runs] = await modelTools(portOver({ commands }, { outcome: { data, newMessages: [shown, text] } }))
  expect(await runs?.answer({ skill: '/deploy' })).toMatchObject({
    content: [{ type: 'text', text: 'Ship it.' }, image],
    text: 'Ship it.',
    isError: false,
    outcome: { data },
  })
  const forked = { success: true, commandName: 'deploy', status: 'forked', agentId: 'a', result: 'Done.' } as const
  const [forks] = await modelTools(portOver({ commands }, { outcome: { data: forked, newMessages: [shown, text] } }))
  expect(await forks?.answer({ skill: 'deploy' })).toMatchObject({
    text: 'Skill "deploy" completed (forked execution).\n\nResult:\nDone.',
    isError: false,
  })
  const [silent] = await modelTools(portOver({ commands }))
  expect((await silent?.answer({ skill: 'deploy' }))?.text).toBe('Launching skill: deploy')
})

test('gives a result that a distribution words itself', async () => {
  const [runs] = await modelTools(portOver({ commands }, { outcome: { data, newMessages: [text] } }), {
    tool: { textIn: ({ text: own }) => `<skill>${own}</skill>` },
  })
  expect(await runs?.answer({ skill: 'deploy' })).toMatchObject({ text: '<skill>Ship it.</skill>' })
})

test('searches', async () => {
  const [, searches] = await modelTools(portOver({ commands }))
  expect(await searches?.answer({ query: 'deploy' })).toMatchObject({ text: '- deploy: Does deploy.', isError: false })
  expect(await searches?.answer({})).toMatchObject({ isError: true })
})

test('answers with what went wrong, but for an abort', async () => {
  const failing = (error: Error) =>
    modelTools(
      portOver(
        { commands },
        {
          async invoke() {
            throw error
          },
        },
      ),
    )
  const [denied] = await failing(new SkillsError('E_DENIED', 'The answer was no.'))
  expect(await denied?.answer({ skill: 'deploy' })).toMatchObject({ text: 'The answer was no.', isError: true })
  expect(await denied?.answer({ skill: 'none' })).toMatchObject({ text: 'Unknown skill: none', isError: true })
  const [aborted] = await failing(abortError(AbortSignal.abort()))
  await expect(aborted?.answer({ skill: 'deploy' })).rejects.toSatisfy(isAbortError)
})

test('asks the one that a call names, for the skill and for what it does itself', async () => {
  const skills = createSkills({
    host: fakeHost(),
    onDiagnostic: () => {},
    kinds: [...invocationKinds, formatterKind],
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'user',
        contract: 1,
        setup: () => ({
          source: 'user',
          list: () =>
            loadResult({
              commands: [
                promptCommand({
                  name: 'deploy',
                  source: 'user',
                  description: 'Ships.',
                  load: () => ({ template: '' }),
                }),
              ],
            }),
        }),
      }),
      { kind: 'formatter', id: 'names', setup: () => namesFormatter() },
      {
        kind: 'permission',
        id: 'asks',
        setup: () => ({ check: () => ({ behavior: 'ask', message: 'Run', decisionReason: { type: 'default' } }) }),
      },
      {
        kind: 'executor',
        id: 'inline',
        setup: () => ({
          async execute({ authorize }) {
            const { behavior } = await authorize({ tool: 'Bash', content: 'id' })
            return { data, newMessages: [{ type: 'user', content: behavior }] }
          },
        }),
      },
    ],
  })
  onTestFinished(() => skills.close())
  const [runs] = await modelTools(enginePort(skills, { onAsk: () => 'deny' }))
  const asked: string[] = []
  const onAsk: OnAsk = ({ request: { tool } }) => {
    asked.push(tool)
    return tool === 'Skill' ? 'allow' : 'deny'
  }
  expect(await runs?.answer({ skill: 'deploy' }, { onAsk })).toMatchObject({ text: 'deny', isError: false })
  expect(asked).toEqual(['Skill', 'Bash'])
  expect(await runs?.answer({ skill: 'deploy' })).toMatchObject({
    text: expect.stringMatching(/^Run: the answer was no\./) as string,
    isError: true,
  })
})
