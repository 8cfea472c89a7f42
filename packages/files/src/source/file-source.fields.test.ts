import { describe, expect, it } from 'vitest'
import { bodyOf, loaded, onlyCommand } from '../../test/load.js'
import { isSkillCommand } from '@skills/skill-md/internal'

const everyField = `---
name: deploy-it
description: Ships the service.
when_to_use: When a release is due.
allowed-tools: Read, Bash(git add:*, git status)
disallowed-tools: [Write]
model: large
effort: high
context: fork
agent: releaser
background: yes
argument-hint: "[target]"
arguments: target region
user-invocable: false
disable-model-invocation: true
paths: "src/**, docs/*.md"
hooks:
  PreToolUse:
    - matcher: Bash
shell: powershell
on-shell-error: skip
requires: [build, test]
aliases: [ship]
version: 1.10
license: MIT
compatibility: Node 20
metadata:
  author: Ann
triggers: [release]
---
`
const body = '# Deploy\n\nShip $target.\n'

describe('the fields of a file', () => {
  it('all become fields of the command', async () => {
    const result = await loaded({ 'deploy/SKILL.md': everyField + body })
    expect(result.errors).toEqual([])
    expect(result.warnings).toEqual([])
    const command = onlyCommand(result)
    const { path } = result
    expect(JSON.parse(JSON.stringify(command))).toEqual({
      type: 'prompt',
      source: 'user',
      isHidden: true,
      loadedFrom: 'skills',
      isSkill: true,
      progressMessage: 'loading',
      name: 'deploy',
      displayName: 'deploy-it',
      aliases: ['ship'],
      description: 'Ships the service.',
      hasUserSpecifiedDescription: true,
      whenToUse: 'When a release is due.',
      argumentHint: '[target]',
      argumentNames: ['target', 'region'],
      version: '1.10',
      license: 'MIT',
      compatibility: 'Node 20',
      baseDir: `${path}/deploy`,
      filePath: `${path}/deploy/SKILL.md`,
      file: expect.objectContaining({ realPath: `${path}/deploy/SKILL.md`, size: (everyField + body).length }),
      contentLength: body.length,
      allowedTools: ['Read', 'Bash(git add:*, git status)'],
      disallowedTools: ['Write'],
      model: 'large',
      effort: 'high',
      context: 'fork',
      agent: 'releaser',
      background: true,
      paths: ['src/**', 'docs/*.md'],
      shell: 'powershell',
      onShellError: 'skip',
      hooks: { PreToolUse: [{ matcher: 'Bash' }] },
      requires: ['build', 'test'],
      userInvocable: false,
      disableModelInvocation: true,
      metadata: { author: 'Ann', triggers: ['release'] },
    })
    expect(command).toMatchObject({
      type: 'prompt',
      loadedFrom: 'skills',
      isSkill: true,
      progressMessage: 'loading',
      source: 'user',
      qualifier: 'user',
      isHidden: true,
    })
    expect(command.isEnabled()).toBe(true)
    expect(await bodyOf(command)).toBe(body)
  })

  it('have defaults', async () => {
    const command = onlyCommand(await loaded({ 'deploy/SKILL.md': '---\n---\n' }))
    expect(command).toMatchObject({
      name: 'deploy',
      displayName: 'deploy',
      aliases: [],
      description: 'deploy',
      hasUserSpecifiedDescription: false,
      argumentNames: [],
      contentLength: 0,
      allowedTools: [],
      disallowedTools: [],
      context: 'inline',
      paths: [],
      shell: 'bash',
      requires: [],
      userInvocable: true,
      disableModelInvocation: false,
      metadata: {},
    })
    for (const key of [
      'whenToUse',
      'argumentHint',
      'version',
      'license',
      'compatibility',
      'model',
      'effort',
      'agent',
      'background',
      'onShellError',
      'hooks',
    ] as const) {
      expect(command[key], key).toBeUndefined()
    }
    expect(command.isHidden).toBe(false)
  })

  it('count as absent when they are null, and `inherit` and `**` say nothing', async () => {
    const text = '---\nname:\ndescription: ~\nmodel: inherit\npaths: "**"\nallowed-tools: null\n---\nText.'
    const command = onlyCommand(await loaded({ 'deploy/SKILL.md': text }))
    expect(command).toMatchObject({
      displayName: 'deploy',
      description: 'Text.',
      hasUserSpecifiedDescription: false,
      paths: [],
      allowedTools: [],
    })
    expect(command.model).toBeUndefined()
  })

  it('keep a model away in any of the three dialects', async () => {
    for (const line of [
      'disable-model-invocation: true',
      'metadata:\n  opencode/autoinvoke: false',
      'metadata:\n  opencode:\n    autoinvoke: "no"',
    ]) {
      expect(onlyCommand(await loaded({ 'deploy/SKILL.md': `---\n${line}\n---\n` })).disableModelInvocation, line).toBe(
        true,
      )
    }
  })

  it('can be printed, shared ones included, and what is printed has no part of the body', async () => {
    const command = onlyCommand(await loaded({ 'deploy/SKILL.md': everyField + body }))
    const printed: unknown = JSON.parse(JSON.stringify(command))
    expect(printed).toMatchObject({ name: 'deploy', source: 'user', isHidden: true, metadata: { author: 'Ann' } })
    expect(JSON.stringify(printed)).not.toContain('$target')
  })

  it('are those of a command of a skill file', async () => {
    expect(isSkillCommand(onlyCommand(await loaded({ 'deploy/SKILL.md': 'Text.' })))).toBe(true)
  })
})

describe('a description that no one wrote', () => {
  const described = async (text: string): Promise<string> =>
    onlyCommand(await loaded({ 'deploy/SKILL.md': text })).description

  it.each([
    ['the first paragraph', '---\nname: deploy\n---\n\nShips the\nservice.\n\nMore.', 'Ships the service.'],
    ['a heading without its marks', '---\nname: deploy\n---\n## Deploy ##\n\nMore.', 'Deploy'],
    ['the first paragraph of a file without frontmatter', 'Ships it.\n\nMore.', 'Ships it.'],
    ['the name where there is no text', '---\nname: Other\n---\n\n \n', 'deploy'],
    ['the name in a file that is only frontmatter', '---\nversion: 1\n---', 'deploy'],
    ['text in any script', '---\nversion: 1\n---\nВыпускает сервис 🚀.\n\nMore.', 'Выпускает сервис 🚀.'],
  ])('is %s', async (_what, text, expected) => {
    expect(await described(text)).toBe(expected)
  })

  it('is a first paragraph of more than 4 KiB, whole', async () => {
    const paragraph = 'Many words. '.repeat(1000).trim()
    expect(await described(`---\nversion: 1\n---\n${paragraph}\n\nMore.`)).toBe(paragraph)
    expect(await described(`---\nversion: 1\n---\n${paragraph}`)).toBe(paragraph)
  })

  it.each([4090, 4091, 4092, 4093, 4094, 4095, 4096, 4097])(
    'has no broken character when one lies across byte %i of the file',
    async end => {
      const head = '---\nversion: 1\n---\n'
      const paragraph = `${'x'.repeat(end - head.length - 2)}🚀 and more`
      expect(await described(`${head}${paragraph}\n\nMore.`)).toBe(paragraph)
    },
  )

  it.each(['🚀', 'é', '€'])('ends cleanly before byte 4096 when %s lies across it further on', async character => {
    const head = '---\nversion: 1\n---\nShips it.\n\n'
    for (let shift = 1; shift < 4; shift++) {
      expect(await described(head + 'x'.repeat(4096 - head.length - shift) + character.repeat(10))).toBe('Ships it.')
    }
  })

  it.each([
    ['a comment', `<!-- ${'Not this.\n\n'.repeat(600)}-->\nShips it.\n`],
    ['a block of code', `\`\`\`\n${'not this\n\n'.repeat(600)}\`\`\`\nShips it.\n`],
    ['blank lines', `${'\n'.repeat(6000)}Ships it.\n\nMore.`],
  ])('is found behind 4 KiB of %s', async (_what, text) => {
    expect(await described(`---\nversion: 1\n---\n${text}`)).toBe('Ships it.')
  })

  it('takes no longer to find in one very long line than in a short one', async () => {
    // A search that starts again at each character would take minutes.
    expect(await described(`---\nversion: 1\n---\n${'x'.repeat(900_000)}`)).toMatch(/^x+$/)
  })

  it("is not called the author's", async () => {
    expect(onlyCommand(await loaded({ 'deploy/SKILL.md': 'Ships it.' })).hasUserSpecifiedDescription).toBe(false)
    expect(
      onlyCommand(await loaded({ 'deploy/SKILL.md': '---\ndescription: ""\n---\nShips it.' }))
        .hasUserSpecifiedDescription,
    ).toBe(false)
    expect(
      onlyCommand(await loaded({ 'deploy/SKILL.md': '---\ndescription: Ships it.\n---\n' }))
        .hasUserSpecifiedDescription,
    ).toBe(true)
  })
})

describe('the length of a body', () => {
  it.each([
    ['plain', '---\nname: a\n---\nbody\n', 5],
    ['of many bytes a character', '---\nname: a\n---\n🚀é', 6],
    ['with CRLF', '---\r\nname: a\r\n---\r\nbody\r\n', 6],
    ['after a byte order mark', '\ufeff---\nname: a\n---\nbody', 4],
    ['without frontmatter', 'body', 4],
    ['without frontmatter, after a byte order mark', '\ufeffbody', 4],
    ['that is missing', '---\nname: a\n---\n', 0],
    ['that is missing, with no line end', '---\nname: a\n---', 0],
    ['behind a comment', '<!-- note -->\n---\nname: a\n---\nbody', 4],
    ['of many kilobytes', `---\nname: a\n---\n${'x'.repeat(100_000)}`, 100_000],
  ])('is known without reading it: %s', async (_what, text, length) => {
    const command = onlyCommand(await loaded({ 'a/SKILL.md': text }))
    expect(command.contentLength).toBe(length)
    expect(Buffer.byteLength(await bodyOf(command))).toBe(length)
  })
})
