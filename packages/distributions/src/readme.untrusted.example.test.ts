// #region untrusted
import { Invoker, type OnUntrusted } from '@skills/invocation'
import { consentItems, type JudgedItem } from '@skills/distributions/configuration'
import { openState, trustFolder } from '@skills/distributions/trust'
import type { Skills } from '@skills/core'

/**
 * Makes an invoker for lines that a person types. `agrees` shows a folder and its items to the person and returns the
 * answer.
 */
function invokerAsking(
  skills: Skills,
  agrees: (folder: string, items: readonly JudgedItem[]) => Promise<boolean>,
): Invoker {
  const { host } = skills
  const state = openState(host, { report: ({ message }) => process.emitWarning(message) })
  const onUntrusted: OnUntrusted = async ({ signal }) => {
    const { items } = await consentItems(host, { state, signal, catalog: await skills.catalog({ signal }) })
    if (!(await agrees(host.cwd, items))) return false
    await trustFolder(state, host.cwd, host, { items, signal })
    return true
  }
  return new Invoker(skills, { onUntrusted })
}
// #endregion untrusted

import { createSkills, processHost } from '@skills/core'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { standard } from './agents/standard/index.js'

it('asks for trust once, with what asks for permission, and then runs what was typed', async () => {
  const tree = tempTree({
    'home/.keep': '',
    'repo/.git/HEAD': '',
    'repo/.claude/skills/runs/SKILL.md': '---\ndescription: Runs.\n---\n!`printf found`',
  })
  const host = processHost({ cwd: `${tree.path}/repo`, home: `${tree.path}/home`, env: { PATH: process.env['PATH'] } })
  const skills = createSkills(
    standard({ host, managed: { dirs: [] }, bundled: false, onDiagnostic: ({ message }) => expect.fail(message) }),
  )
  onTestFinished(async () => {
    await skills.close()
    tree.dispose()
  })
  const shown: string[] = []
  const typed = (answer: boolean) =>
    invokerAsking(skills, async (folder, items) => {
      shown.push(`${folder.slice(tree.path.length)}: ${items.map(({ kind, label }) => `${kind} ${label}`).join()}`)
      return answer
    }).run('/runs')
  await expect(typed(false)).rejects.toMatchObject({ code: 'E_DENIED' })
  expect(JSON.stringify(await typed(true))).toContain('found')
  expect(JSON.stringify(await typed(false))).toContain('already loaded')
  expect(shown).toEqual(['/repo: skill runs', '/repo: skill runs'])
})
