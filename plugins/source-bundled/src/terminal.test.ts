import { defineProvider, loadResult, SkillsError, type View } from '@skills/core'
import { describe, expect, it } from 'vitest'
import { builtinSource } from './builtin.js'
import { engine, giving, skill, viewOf } from '../test/commands.js'
import { terminalRenderer, type TerminalRendererOptions } from './terminal.js'

const view: View = { title: 'Title', text: ['A paragraph.'] }

/** Shows a view as a command would, through the registered renderer. */
async function show(
  given: View,
  options: Omit<TerminalRendererOptions, 'write'> & Partial<TerminalRendererOptions>,
  signal?: AbortSignal,
): Promise<string> {
  let written = ''
  const asker = defineProvider({
    kind: 'source',
    id: 'asker',
    needs: ['renderer'],
    setup: ctx => ({
      source: 'user',
      async refresh() {
        await ctx
          .use('renderer')
          .first((renderer, call) => renderer.render(given, signal === undefined ? call : { signal }))
        return undefined
      },
      list: () => loadResult({}),
    }),
  })
  const skills = engine([asker, terminalRenderer({ write: text => void (written += text), ...options })])
  await skills.catalog()
  await skills.refresh()
  const failed = skills.told.find(({ code }) => code === 'provider-failed')
  if (failed !== undefined) throw new Error(failed.message)
  return written
}

describe('the terminal renderer', () => {
  it('writes a view in the width there is now', async () => {
    expect(await show(view, {})).toBe('Title\n\nA paragraph.\n')
    expect(await show(view, { width: 10 })).toBe('Title\n\nA\nparagraph.\n')
    expect(await show(view, { width: () => 10 })).toBe('Title\n\nA\nparagraph.\n')
  })

  it.each([0, 1, undefined, Number.NaN])(
    'takes 80 cells where the width is %s, as of a stream that is no terminal',
    async width => {
      expect(await show({ title: 'word '.repeat(20).trim() }, { width: () => width })).toBe(
        `${'word '.repeat(16).trim()}\n${'word '.repeat(4).trim()}\n`,
      )
    },
  )

  it('colours when it may', async () => {
    expect(await show({ title: 'Title', table: { columns: ['Name'], rows: [['a']] } }, { colors: true })).toBe(
      '\u001b[1mTitle\u001b[0m\n\n\u001b[2mName\u001b[0m\na\n',
    )
  })

  it('shows /skills', async () => {
    const given = await viewOf(
      engine([
        builtinSource(),
        giving('user', {
          commands: [skill('deploy', { description: 'Ships what is in the working folder to production.' })],
        }),
      ]),
      'skills',
    )
    expect(await show(given, { width: 60 })).toBe(
      [
        'Skills',
        '',
        'Name    Source  Description                           State',
        'deploy  user    Ships what is in the working folder   active',
        '                to production.',
        '',
        '1 skill: 1 active',
        '',
      ].join('\n'),
    )
    expect(await show(given, { width: 20 })).toBe(
      [
        'Skills',
        '',
        'deploy',
        '  Source: user',
        '  Description: Ships',
        '  what is in the',
        '  working folder to',
        '  production.',
        '  State: active',
        '',
        '1 skill: 1 active',
        '',
      ].join('\n'),
    )
  })

  it('hands on what writing throws, and writes nothing once it is too late', async () => {
    await expect(show(view, { write: () => Promise.reject(new Error('The pipe is closed.')) })).rejects.toThrow(
      'The pipe is closed.',
    )
    let wasWritten = false
    await expect(show(view, { write: () => void (wasWritten = true) }, AbortSignal.abort())).rejects.toThrow('aborted')
    expect(wasWritten).toBe(false)
  })

  it('needs something to write to', () => {
    // @ts-expect-error -- what a caller without a type checker may do
    const make = (): unknown => terminalRenderer({})
    expect(make).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
    expect(make).toThrow(SkillsError)
  })
})
