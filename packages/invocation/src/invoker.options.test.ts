import { createSkills, defineProvider, loadResult, promptCommand, type PromptCommand } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { invocationKinds, Invoker, parseSlash, preloadSkills, type InvokerOptions } from './index.js'
import type { PermissionDecision } from '@skills/rules'

const skill = (name: string, more: Partial<PromptCommand> = {}) =>
  promptCommand({ name, source: 'user', description: name, load: () => ({ template: name }), ...more })

function setUp(options: InvokerOptions = {}, behavior: PermissionDecision['behavior'] = 'allow') {
  const ran: string[] = []
  const executor = (id: 'inline' | 'fork') =>
    defineProvider({
      kind: 'executor',
      id,
      setup: () => ({
        execute({ command: { name }, args }) {
          ran.push(`${id} ${name} ${args}`.trim())
          return {
            data: { success: true, commandName: name, status: 'inline' },
            newMessages: [{ type: 'user', content: name }],
          }
        },
      }),
    })
  const skills = createSkills({
    host: fakeHost(),
    kinds: invocationKinds,
    onDiagnostic: () => {},
    plugins: [
      defineProvider({
        kind: 'source',
        id: 'user',
        setup: () => ({
          source: 'user',
          list: () =>
            loadResult({
              commands: [skill('a'), skill('b', { context: 'fork' }), skill('quiet', { userInvocable: false })],
            }),
        }),
      }),
      defineProvider({
        kind: 'permission',
        id: 'one',
        setup: () => ({ check: () => ({ behavior, message: 'Message', decisionReason: { type: 'default' } }) }),
      }),
      executor('inline'),
      executor('fork'),
    ],
  })
  onTestFinished(() => skills.close())
  return { ran, invoker: new Invoker(skills, options) }
}

test('a line is taken apart at a space alone, into one command, where the rules say so', () => {
  const rules = { separator: 'space', most: 1 } as const
  expect(parseSlash('/a /b x', () => true, rules)).toEqual([{ name: 'a', args: '/b x' }])
  expect(parseSlash('/a\tb c', () => true, rules)).toEqual([{ name: 'a\tb', args: 'c' }])
  expect(parseSlash('/ a', () => true, rules)).toEqual([])
})

test('a line whose command is unknown or not for people is an error, or no command at all', async () => {
  const strict = setUp()
  await expect(strict.invoker.run('/nothing x')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
  await expect(strict.invoker.run('/quiet')).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
  const chat = setUp({ unknownSlash: 'chat' })
  expect([
    await chat.invoker.run('/nothing x'),
    await chat.invoker.run('/quiet'),
    (await chat.invoker.run('/a x'))?.length,
  ]).toEqual([undefined, undefined, 1])
})

test('a line that begins like a path is text where the rules say so, unless a command has its name', async () => {
  const { invoker } = setUp({ slash: { leavesPaths: true } })
  expect(await invoker.run('/etc/hosts x')).toBeUndefined()
  expect(await invoker.run('/a.b x')).toBeUndefined()
  expect(await invoker.run('/a x')).toHaveLength(1)
  await expect(invoker.run('/nothing x')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
})

test('a name that no command has is spoken of in the words of the host, a caller that invokes it', async () => {
  const { invoker } = setUp({ unknownText: name => `No ${name} here.` })
  await expect(invoker.run('/nothing x')).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME', message: 'No nothing here.' })
  await expect(invoker.invoke({ name: ' /nothing', caller: 'model' })).rejects.toMatchObject({
    code: 'E_UNKNOWN_NAME',
    message: 'No nothing here.',
  })
  expect(await invoker.run('/a x')).toHaveLength(1)
})

test('what a person invokes stays in the conversation where that is wanted, and what a model does forks', async () => {
  const { invoker, ran } = setUp({ userContext: 'inline' })
  await invoker.invoke({ name: 'b', caller: 'user' })
  await invoker.invoke({ name: 'b', caller: 'model' })
  expect(ran).toEqual(['inline b', 'fork b'])
})

test('a remote skill needs no catalog, is allowed where no one decides, and not where a rule denies', async () => {
  const remote = { name: 'far', command: skill('far'), provider: 'remote', override: 'on', isQualified: false } as const
  const asking = setUp({}, 'ask')
  await asking.invoker.invoke({ name: 'far', caller: 'model', remote })
  expect(asking.ran).toEqual(['inline far'])
  await expect(asking.invoker.invoke({ name: 'a', caller: 'model' })).rejects.toMatchObject({ code: 'E_DENIED' })
  await expect(setUp({}, 'deny').invoker.invoke({ name: 'far', caller: 'model', remote })).rejects.toMatchObject({
    code: 'E_DENIED',
  })
})

test('skills that an agent begins with are invoked in order, without arguments, and the first failure ends it', async () => {
  const { invoker, ran } = setUp()
  expect((await preloadSkills(invoker, ['b', 'a'])).map(({ content }) => content)).toEqual(['b', 'a'])
  expect(ran).toEqual(['fork b', 'inline a'])
  await expect(preloadSkills(invoker, ['nothing', 'a'])).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
  expect(ran).toHaveLength(2)
})

test('a name in other letters is unknown where that is wanted, and the error has the one that is meant', async () => {
  const { invoker, ran } = setUp({ letters: 'exact' })
  await expect(invoker.invoke({ name: 'A', caller: 'user' })).rejects.toMatchObject({
    code: 'E_UNKNOWN_NAME',
    hint: 'Did you mean "a"?',
  })
  const own = setUp({ letters: 'exact', unknownText: name => `No ${name} here.` })
  await expect(own.invoker.invoke({ name: 'A', caller: 'user' })).rejects.toMatchObject({ message: 'No A here.' })
  await invoker.invoke({ name: 'a', caller: 'user' })
  expect([ran, own.ran]).toEqual([['inline a'], []])
})
