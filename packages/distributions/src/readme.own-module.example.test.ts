// #region load
import { createSkills, processHost, type Skills } from '@skills/core'
import { loadDistribution, type JudgedItem } from '@skills/distributions/configuration'
import { openState, trustFolder } from '@skills/distributions/trust'

async function openWith(
  path: string,
  cwd: string,
  home: string,
  agrees: (items: readonly JudgedItem[]) => Promise<boolean>,
): Promise<Skills | undefined> {
  const host = processHost({ cwd, home })
  const onDiagnostic = ({ message }: { readonly message: string }): void => process.emitWarning(message)
  const state = openState(host, { report: onDiagnostic })
  let found = await loadDistribution(path, host, { state })
  if ('unagreed' in found) {
    if (!(await agrees(found.unagreed))) return undefined
    await trustFolder(state, found.folder, host, { items: found.unagreed })
    found = await loadDistribution(path, host, { state })
  }
  return 'make' in found ? createSkills(found.make({ host, onDiagnostic })) : undefined
}
// #endregion load

import { readFileSync } from 'node:fs'
import { Invoker } from '@skills/invocation'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('is imported after the yes to its text, and changes what the README says of a distribution', async () => {
  const text = readFileSync(new URL('../test/acme.mjs', import.meta.url), 'utf8')
  const skill = (body: string): string => `---\ndescription: D.\n---\n${body}`
  const { path, dispose } = tempTree({
    home: { dir: true },
    'repo/.git': { dir: true },
    'repo/acme.mjs': text,
    'repo/.claude/skills/group/deep/SKILL.md': skill('Too deep.'),
    'repo/.claude/skills/release/SKILL.md': skill('Release.'),
    'repo/.claude/skills/deploy/SKILL.md': skill('Ship $0 !`date`'),
  })
  onTestFinished(dispose)
  const shown: JudgedItem[] = []
  const agreeing =
    (is: boolean) =>
    async (items: readonly JudgedItem[]): Promise<boolean> => {
      shown.push(...items)
      return is
    }
  expect(await openWith('acme.mjs', `${path}/repo`, `${path}/home`, agreeing(false))).toBeUndefined()
  expect(shown).toMatchObject([{ kind: 'module', label: 'acme.mjs', state: 'new', text }])
  const skills = await openWith('./acme.mjs', `${path}/repo`, `${path}/home`, agreeing(true))
  if (skills === undefined) throw new Error('It was agreed to.')
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['deploy', 'release'])
  const invoker = new Invoker(skills, { onAsk: () => 'allow' })
  expect(JSON.stringify(await invoker.run('/deploy staging'))).toContain('Ship staging !`date`')
  await expect(invoker.run('/release')).rejects.toMatchObject({ code: 'E_DENIED' })
  await openWith('./acme.mjs', `${path}/repo`, `${path}/home`, () => expect.fail('It was agreed to.')).then(again =>
    again?.close(),
  )
})
