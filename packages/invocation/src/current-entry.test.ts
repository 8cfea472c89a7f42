import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type FileIdentity,
  type PromptCommand,
} from '@skills/core'
import { fakeHost } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { currentEntry, isChangedSince } from './current-entry.js'

const fileOf = (mtimeMs: number): FileIdentity => ({
  realPath: '/s/SKILL.md',
  dev: 1,
  ino: 1,
  size: 1,
  mtimeMs,
  ctimeMs: 1,
})

/** Makes an engine of one skill whose file has these times: each read sees the next. */
function engine(times: readonly number[], { file = true, fails = false } = {}) {
  let at = 0
  const loads: number[] = []
  let invalidate = (): void => undefined
  const now = (): number | undefined => times[Math.min(at, times.length - 1)]
  const command = (time: number): PromptCommand =>
    promptCommand({
      name: 'deploy',
      source: 'user',
      filePath: '/s/SKILL.md',
      description: `As of ${time}.`,
      ...(file && { file: fileOf(time) }),
      load: () => {
        loads.push(time)
        at++
        if (now() !== time) invalidate()
        if (fails) throw new Error('It cannot be read.')
        return { template: '' }
      },
    })
  const source = defineProvider({
    kind: 'source',
    id: 'files',
    setup: ctx => {
      invalidate = () => ctx.invalidate()
      return {
        source: 'user',
        list: () =>
          loadResult({ commands: [now()].flatMap(time => (time === undefined || time === 0 ? [] : [command(time)])) }),
      }
    },
  })
  const skills = createSkills({ plugins: [source], host: fakeHost(), onDiagnostic: () => {} })
  onTestFinished(() => skills.close())
  return {
    skills,
    loads,
    find: async (signal?: AbortSignal) => (await currentEntry(skills, 'deploy', signal)).entry.command.description,
  }
}

describe('the entry of a name', () => {
  test('is the one that is listed where its file still is, which is read once', async () => {
    const { find, loads } = engine([1])
    expect([await find(), loads]).toEqual(['As of 1.', [1]])
  })

  test('is listed anew where its file is another', async () => {
    const { find, loads } = engine([1, 2])
    expect([await find(), loads]).toEqual(['As of 2.', [1, 2]])
  })

  test('is looked for three times where its file is never the same', async () => {
    const { find, loads } = engine([1, 2, 3, 4, 5, 6])
    expect([await find(), loads]).toEqual(['As of 4.', [1, 2, 3]])
  })

  test('of a command without a file is not read', async () => {
    const { find, loads } = engine([1, 2], { file: false })
    expect([await find(), loads]).toEqual(['As of 1.', []])
  })

  test('that is gone is unknown, and says why where its file says so', async () => {
    await expect(engine([1, 0]).find()).rejects.toMatchObject({ code: 'E_UNKNOWN_NAME' })
    await expect(engine([1, 0], { fails: true }).find()).rejects.toThrow('It cannot be read.')
  })

  test('that cannot be read and is listed all the same is for rules to decide about first', async () => {
    expect(await engine([1], { fails: true }).find()).toBe('As of 1.')
  })

  test('is not waited for once the caller aborts', async () => {
    await expect(engine([1]).find(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('a file is another by either of its times, and a command without one never is', async () => {
  const { skills } = engine([1])
  const catalog = await skills.catalog()
  const command = (more: Partial<PromptCommand>): PromptCommand =>
    promptCommand({ name: 'deploy', source: 'user', filePath: '/s/SKILL.md', load: () => ({ template: '' }), ...more })
  expect(
    [
      { file: fileOf(1) },
      { file: fileOf(2) },
      { file: { ...fileOf(1), ctimeMs: 2 } },
      { file: fileOf(2), filePath: '/t/SKILL.md' },
      {},
    ].map(more => isChangedSince(command(more), 'deploy', catalog)),
  ).toEqual([false, true, true, false, false])
  expect(isChangedSince(command({ file: fileOf(2) }), 'other', catalog)).toBe(false)
})
