import { describe, expect, it } from 'vitest'
import { fileSource } from '@skills/files/source'
import { asking, engine, entryOf, requestFor, shortly, skill, temporary, trustProvider } from '../test/asking.js'
import { permissionRules } from './index.js'
import type { PromptCommand } from '@skills/core'

const harmless: Partial<PromptCommand> = {
  model: undefined,
  displayName: 'A',
  aliases: ['b'],
  whenToUse: 'Now.',
  argumentHint: '[x]',
  argumentNames: ['x'],
  version: '1',
  license: 'MIT',
  compatibility: 'all',
  metadata: { x: 1 },
  paths: ['*.ts'],
  requires: ['b'],
  userInvocable: true,
  disableModelInvocation: true,
  filePath: '/a/SKILL.md',
  baseDir: '/a',
  contentLength: 9,
  pluginName: 'p',
  qualifier: 'q',
  effort: undefined,
  agent: '',
  hooks: {},
  allowedTools: [],
  disallowedTools: [],
}

describe('a skill that sets only harmless fields', () => {
  it('needs no rule', async () => {
    expect(await (await asking()).check(requestFor(entryOf(skill('a', harmless))))).toEqual({
      behavior: 'allow',
      message: '"a" needs no permission: it sets no field that needs permission, and embeds no command.',
      decisionReason: { type: 'safe' },
    })
  })

  it('is asked about as soon as it sets another, known or not', async () => {
    const asked = await asking()
    const more: readonly (readonly [string, unknown])[] = [
      ['model', 'large'],
      ['effort', 'low'],
      ['allowedTools', ['Read']],
      ['disallowedTools', ['Read']],
      ['context', 'fork'],
      ['agent', 'x'],
      ['background', false],
      ['shell', 'powershell'],
      ['onShellError', 'skip'],
      ['hooks', { Stop: [] }],
      ['addedLater', 0],
      ['addedLater', false],
      ['addedLater', () => 1],
    ]
    for (const [key, value] of more)
      expect(await shortly(asked, requestFor(entryOf({ ...skill('a', harmless), [key]: value }))), key).toBe('ask')
    const inherited: PromptCommand = Object.create(
      {
        get addedLater() {
          return 'x'
        },
      },
      Object.getOwnPropertyDescriptors(skill('a', harmless)),
    )
    expect(await shortly(asked, requestFor(entryOf(inherited))), 'a getter of its class').toBe('ask')
  })

  it('is asked about when its body embeds a command, or looks as if', async () => {
    const asked = await asking()
    for (const template of [
      'Do !`id` now',
      '!`id`',
      '```!\nid\n```',
      '~~~ !\nid\n~~~',
      '\\!`id`',
      '`code`!`x`',
      '````!sh',
    ])
      expect(
        await shortly(asked, requestFor(entryOf(skill('a', { ...harmless, load: () => ({ template }) })))),
        template,
      ).toBe('ask')
    for (const template of ['Hello! `code`', '```sh\nid\n```', 'a != b'])
      expect(
        await shortly(asked, requestFor(entryOf(skill('a', { ...harmless, load: () => ({ template }) })))),
        template,
      ).toBe('allow safe')
    expect(
      await shortly(
        asked,
        requestFor(entryOf(skill('a', { ...harmless, load: () => ({ blocks: [{ type: 'text', text: '!`id`' }] }) }))),
      ),
      'no expander sees blocks',
    ).toBe('allow safe')
  })

  it('is looked through in time in proportion to its body', async () => {
    const asked = await asking()
    const secondsFor = async (template: string): Promise<number> => {
      const begun = process.cpuUsage().user / 1000
      expect(await shortly(asked, requestFor(entryOf(skill('a', { ...harmless, load: () => ({ template }) }))))).toBe(
        'allow safe',
      )
      return process.cpuUsage().user / 1000 - begun
    }
    for (const mark of ['~', '~~~\t', '`']) {
      const short = await secondsFor(mark.repeat(2_000))
      // Quadratic time would take ten thousand times as long for a hundred times the length.
      expect(await secondsFor(mark.repeat(200_000)), mark).toBeLessThan(1_000 * Math.max(short, 1))
    }
  })

  it('is asked about when its body cannot be read, and where the host wants no such thing', async () => {
    const load = (): never => {
      throw new Error('It is gone.')
    }
    expect(await (await asking()).check(requestFor(entryOf(skill('a', { ...harmless, load }))))).toMatchObject({
      behavior: 'ask',
      message: expect.stringMatching(/^Execute skill: a \(.*: It is gone\.\)$/),
    })
    expect(await shortly(await asking({ safe: false }), requestFor(entryOf(skill('a', harmless))))).toBe('ask')
  })

  it('gives up when it is told to while it reads the body', async () => {
    const given = new AbortController()
    const command = skill('a', {
      ...harmless,
      load: (_args, { signal }) => {
        given.abort()
        signal.throwIfAborted()
        return { template: '' }
      },
    })
    await expect((await asking()).check(requestFor(entryOf(command)), given.signal)).rejects.toHaveProperty(
      'name',
      'AbortError',
    )
  })

  it('is one as files give it', async () => {
    const { path } = temporary({
      'plain/SKILL.md': '---\ndescription: Does it.\nallowed-tools: []\nunknown: 1\n---\nDo it.',
      'tools/SKILL.md': '---\ndescription: Does it.\nallowed-tools: Read\n---\nDo it.',
      'model/SKILL.md': '---\ndescription: x\nmodel: large\n---\nDo it.',
      'embeds/SKILL.md': '---\ndescription: x\n---\n!`id`',
      'forks/SKILL.md': '---\ndescription: x\ncontext: fork\n---\nDo it.',
      'hooks/SKILL.md': '---\nhooks:\n  Stop: []\n---\nx',
    })
    const { skills, invoker } = engine(
      [],
      [
        fileSource({ id: 'files', source: 'project', roots: () => ({ roots: [{ path }] }) }),
        trustProvider(() => ({ level: 'untrusted', isApproved: false })),
        permissionRules(),
      ],
    )
    const { entries } = await skills.catalog()
    const decided = await Promise.all(
      entries.map(
        async entry =>
          `${entry.name} ${(await invoker.decide({ tool: 'Skill', content: entry.name, entry, caller: 'model', args: '' })).behavior}`,
      ),
    )
    expect(decided.toSorted()).toEqual([
      'embeds ask',
      'forks ask',
      'hooks ask',
      'model ask',
      'plain allow',
      'tools ask',
    ])
  })
})
