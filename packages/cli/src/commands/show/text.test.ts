import { expect, test } from 'vitest'
import {
  createSkills,
  defineProvider,
  loadResult,
  type Command,
  type LocalCommand,
  type PromptCommand,
} from '@skills/core'
import { readShown, type ShownSkill } from '@skills/inspect/internal'
import { shownJson } from '@skills/ui/internal'
import { parseAll as parseArguments } from '../../rest.js'
import { printShown } from './text.js'

const hello: LocalCommand = {
  type: 'local',
  name: 'hello',
  displayName: 'hello',
  aliases: ['hi'],
  description: 'Says hello.',
  hasUserSpecifiedDescription: true,
  source: 'builtin',
  loadedFrom: 'builtin',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
  call: () => undefined,
}
const remote: PromptCommand = {
  ...hello,
  type: 'prompt',
  name: 'remote',
  displayName: 'remote',
  aliases: [],
  source: 'mcp',
  loadedFrom: 'mcp',
  argumentNames: [],
  contentLength: 0,
  allowedTools: [],
  disallowedTools: [],
  context: 'inline',
  paths: [],
  shell: 'bash',
  requires: ['hello'],
  disableModelInvocation: false,
  isSkill: true,
  progressMessage: 'loading',
  metadata: {},
  load: () => ({
    blocks: [
      { type: 'text', text: 'Look:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ],
  }),
}

async function shownOf(name: string): Promise<ShownSkill> {
  const commands: readonly Command[] = [hello, remote]
  const source = defineProvider({
    kind: 'source',
    id: 'test',
    setup: () => ({ source: 'builtin', list: () => loadResult({ commands }) }),
  })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  try {
    const catalog = await skills.catalog()
    return await readShown(catalog, catalog.require(name), true, new AbortController().signal)
  } finally {
    await skills.close()
  }
}

const whole = { told: 'whole', chars: 0, of: 0, reasons: [] } as const

function printed(shown: ShownSkill): string {
  let text = ''
  const output = { isTerminal: false, columns: 80, write: (part: string) => void (text += part) }
  printShown({ ...shown, told: whole }, parseArguments(['show', 'x']), {
    stdout: output,
    stderr: output,
    cwd: '/',
    home: '/',
    env: {},
    program: 'skills',
    signal: new AbortController().signal,
  })
  return text
}

test('a command of the host is its fields, without body and files', async () => {
  const shown = await shownOf('hello')
  expect(printed(shown).split('\n')).toEqual([
    'hello  active  builtin',
    expect.stringMatching(/^ {2}runs {11}.* host$/),
    '  description    Says hello.',
    '  aliases        hi',
    '',
    'Requires',
    '  nothing',
    '',
  ])
  expect(shownJson(shown)).toMatchObject({
    type: 'local',
    body: null,
    blocks: null,
    files: null,
    baseDir: null,
    context: null,
    metadata: null,
    requires: [],
  })
})

test('a prompt without a folder has its blocks, and a command of the host may meet what it requires', async () => {
  const shown = await shownOf('remote')
  expect(printed(shown)).toBe(
    'remote  active  mcp\n  description    Says hello.\n  requires       hello\n\nRequires\n  hello  builtin\n\nBody\nLook:\n[image: image/png]\n',
  )
  expect(shownJson(shown)).toMatchObject({
    body: null,
    blocks: [{ text: 'Look:' }, { data: 'AAAA' }],
    files: null,
    dependencies: { rows: [{ wanted: 'hello', status: 'met', path: null }] },
  })
})
