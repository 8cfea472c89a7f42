import { createSkills, processHost, type Skills } from '@skills/core'
import { invocationKinds, Invoker } from '@skills/invocation'
import { expanderKind } from '../template/expander.js'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { skillPlugins } from '../../test/engine.js'
import { expectGroupGone, pipe } from '../../test/shell.js'
import { shellExpander } from '../shell.js'

function engine(body: string, cwd: string): Skills {
  const skills = createSkills({
    kinds: [...invocationKinds, expanderKind],
    host: processHost({ cwd }),
    plugins: [...skillPlugins({ waits: body }), shellExpander({ onError: 'abort' })],
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  return skills
}

it('leaves no process behind when the engine closes while a skill is expanded', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const { line, ended } = pipe(tree)
  const skills = engine('!`exec 9>pipe; (sleep 1000; true) & echo $$ >&9; sleep 1000`', tree.path)
  const invoking = new Invoker(skills).invoke({ name: 'waits', caller: 'user' })
  invoking.catch(() => undefined)
  const group = await line()
  await skills.close()
  await ended()
  await expectGroupGone(group)
  await expect(invoking).rejects.toMatchObject({ name: 'AbortError' })
})

it('leaves no process behind when a caller that invokes gives up', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const { line, ended } = pipe(tree)
  const skills = engine('!`exec 9>pipe; echo $$ >&9; sleep 1000`', tree.path)
  const controller = new AbortController()
  const invoking = new Invoker(skills).invoke({ name: 'waits', caller: 'user', signal: controller.signal })
  invoking.catch(() => undefined)
  const group = await line()
  controller.abort()
  await expect(invoking).rejects.toMatchObject({ name: 'AbortError' })
  await ended()
  await expectGroupGone(group)
})

it('gives a caller that invokes the error of a command that failed', async () => {
  const tree = tempTree()
  onTestFinished(() => tree.dispose())
  const invoking = new Invoker(engine('!`exit 7`', tree.path)).invoke({ name: 'waits', caller: 'user' })
  await expect(invoking).rejects.toMatchObject({ code: 'E_SHELL', message: expect.stringContaining('exit code 7') })
})
