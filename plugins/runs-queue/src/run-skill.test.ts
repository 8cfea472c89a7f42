import { createHash } from 'node:crypto'
import { defineProvider, promptCommand, type PromptCommand } from '@skills/core'
import { afterAll, describe, expect, test } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
import { specOf, workersOf, type Setting, type Workers } from '../test/workers.js'
import type { RunRecord, RunSpec } from '@skills/runs'

const server = await realPostgres()
afterAll(() => server.dispose())

const text = '---\nname: work\ndescription: Does a job.\ncontext: fork\n---\nDo it as the run says.\n'
const digestOf = (of: string): string => createHash('sha256').update(of).digest('hex')
const once = { attempts: 1 }
const brings = (more: Partial<RunSpec['skill']> = {}): Partial<RunSpec> => ({
  skill: { name: 'work', source: 'user', digest: digestOf(text), text, ...more },
})
const told: Setting['does'] = ({ invocation, body }) =>
  `${invocation.command.source} ${invocation.trust} ${'template' in body ? body.template.trim() : ''}`
const own = (more: Partial<PromptCommand> = {}): PromptCommand =>
  promptCommand({
    name: 'work',
    source: 'user',
    context: 'fork',
    load: () => ({ template: 'Do it as it is here.' }),
    digest: () => 'a1',
    ...more,
  })

async function ended({ runs, submit, start }: Workers, setting: Setting, more = brings()): Promise<RunRecord> {
  await start({ does: told, ...setting })
  await submit('one', once, more)
  return runs.settled('one')
}

describe.skipIf(server.missing !== undefined)(`the text that a run brings${server.missing ?? ''}`, () => {
  const workers = (): Workers => workersOf(server.url)

  test('is not used unless the worker was told to', async () => {
    expect(await ended(workers(), {})).toMatchObject({ state: 'failed', error: { code: 'E_UNKNOWN_NAME' } })
    const only = { texts: (run: RunRecord) => run.session === 'another' }
    expect(await ended(workers(), only)).toMatchObject({ state: 'failed', error: { code: 'E_UNKNOWN_NAME' } })
  })

  test('is the skill then, of the source "run", under the trust of the worker', async () => {
    const judge: Setting['judge'] = ({ source }) => ({
      level: source === 'run' ? 'untrusted' : 'trusted',
      isApproved: false,
    })
    expect(await ended(workers(), { texts: true, judge })).toMatchObject({
      state: 'done',
      result: 'run untrusted Do it as the run says.',
    })
    const commands = brings({ text: `${text}!\`id\`\n`, digest: digestOf(`${text}!\`id\`\n`) })
    const refused = await ended(workers(), { texts: true, judge, refuses: () => 'It is not trusted.' }, commands)
    expect(refused.state === 'failed' ? refused.error : refused).toMatchObject({ code: 'E_DENIED' })
  })

  test('counts only where its digest is the one that was permitted', async () => {
    const other = await ended(workers(), { texts: true }, brings({ text: text.replace('Do it', 'Delete it') }))
    expect(other).toMatchObject({ state: 'failed', error: { code: 'E_RUN_CHANGED' } })
    const none = await ended(
      workers(),
      { texts: true },
      brings({ text: '---\nname: [\n', digest: digestOf('---\nname: [\n') }),
    )
    expect(none).toMatchObject({ state: 'failed', error: { code: 'E_INVALID_SKILL' } })
  })

  test('comes after what the worker has with that digest, and before what it has with another', async () => {
    const same = await ended(workers(), { texts: true, commands: [own({ digest: () => digestOf(text) })] })
    expect(same.result).toBe('user trusted Do it as it is here.')
    const another = await ended(workers(), { texts: true, commands: [own()] })
    expect(another.result).toBe('run trusted Do it as the run says.')
  })

  test('does not bring back what the worker has switched off, or what a gate keeps out', async () => {
    const off = await ended(workers(), { texts: true, commands: [own({ isEnabled: () => false })] })
    expect(off).toMatchObject({ state: 'failed', error: { code: 'E_UNKNOWN_NAME' } })
    for (const rules of [
      () => ({ source: (source: string) => (source === 'run' ? 'Not from a queue.' : undefined) }),
      () => ({ command: ({ source }: { source: string }) => (source === 'run' ? 'Not this one.' : undefined) }),
      () => Promise.reject(new Error('The policy cannot be read.')),
    ]) {
      const gate = defineProvider({ kind: 'gate', id: 'policy', setup: () => ({ rules }) })
      const kept = await ended(workers(), { texts: true, more: [gate] })
      expect(kept.state, JSON.stringify(kept.error)).toBe('failed')
    }
  })

  test('is a fork also where it does not say so: nothing of it runs in the conversation', async () => {
    const inline = text.replace('context: fork\n', '')
    const run = await ended(workers(), { texts: true }, brings({ text: inline, digest: digestOf(inline) }))
    expect(run).toMatchObject({ ...specOf('one'), skill: {}, state: 'done', job: once })
  })
})
