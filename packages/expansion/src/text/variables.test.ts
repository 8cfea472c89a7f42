import { fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { textOf, type Parts } from '../../test/expanding-text.js'

const baseDir = '/skills/deploy'
const parts: Parts = { command: { baseDir }, host: fakeHost({ cwd: '/work', sessionId: 's-1' }), effort: 'high' }
const bare = { header: false } as const

it('names the folder of the skill before its text', async () => {
  expect(await textOf('Do it.', '', {}, parts)).toBe(`Base directory for this skill: ${baseDir}\n\nDo it.`)
  expect(await textOf('', 'a', {}, parts)).toBe(`Base directory for this skill: ${baseDir}\n\nARGUMENTS: a`)
  expect(await textOf('Do it.', '', bare, parts)).toBe('Do it.')
  expect(await textOf('Do it.')).toBe('Do it.')
})

it('replaces the variables of every skill', async () => {
  expect(
    await textOf(
      '${CLAUDE_SKILL_DIR}|${CLAUDE_SESSION_ID}|${CLAUDE_PROJECT_DIR}|${CLAUDE_EFFORT}|{baseDir}/x',
      '',
      bare,
      parts,
    ),
  ).toBe(`${baseDir}|s-1|/work|high|${baseDir}/x`)
})

it('writes paths with forward slashes', async () => {
  const host = fakeHost({ platform: 'win32', cwd: 'C:\\work\\here' })
  expect(await textOf('${CLAUDE_PROJECT_DIR}', '', bare, { host })).toBe('C:/work/here')
  expect(await textOf('${CLAUDE_PROJECT_DIR}', '', bare, { host: fakeHost({ cwd: '/odd\\name' }) })).toBe('/odd\\name')
})

it('takes the effort of the skill where no one says which one is in effect', async () => {
  expect(await textOf('${CLAUDE_EFFORT}', '', bare, { command: { effort: 3 } })).toBe('3')
})

it.each([
  '${HOME}',
  '${CLAUDE_SKILL_DIR}',
  '${CLAUDE_EFFORT}',
  '{baseDir}',
  '${constructor}',
  '${__proto__}',
  '${a b}',
  '${',
  '${}',
  '${CLAUDE_SKILL_DIR',
  '$CLAUDE_SKILL_DIR',
])('leaves %s as it is written when it stands for nothing', async body => {
  expect(await textOf(body, '', bare, { command: { variables: {} } })).toBe(body)
})

it('leaves braces of other languages alone', async () => {
  expect(await textOf('${baseDir} {{baseDir}} {basedir}', '', bare, parts)).toBe('${baseDir} {{baseDir}} {basedir}')
  expect(await textOf('{baseDir}', '', { ...bare, baseDirBraces: false }, parts)).toBe('{baseDir}')
})

it('asks the command for variables of its own, only where they stand', async () => {
  const asked: string[] = []
  const command = {
    variables: { ROOT: '/plugin', toString: 7 },
    resolveVariable: (name: string) => (asked.push(name), name === 'user_config.key' ? '$0 ${ROOT}' : undefined),
  }
  expect(await textOf('${ROOT} ${user_config.key} ${toString} ${HOME} \\${hidden}', 'a', bare, { command })).toBe(
    '/plugin $0 ${ROOT} ${toString} ${HOME} ${hidden}\n\nARGUMENTS: a',
  )
  expect(asked).toEqual(['user_config.key', 'toString', 'HOME'])
})

it('does not let a command replace the variables of every skill', async () => {
  expect(
    await textOf('${CLAUDE_SKILL_DIR}', '', bare, {
      command: { baseDir, variables: { CLAUDE_SKILL_DIR: '/elsewhere' } },
    }),
  ).toBe(baseDir)
})

it('passes on the error of a command that refuses a variable', async () => {
  const resolveVariable = () => {
    throw new RangeError('unset')
  }
  await expect(textOf('${x}', '', bare, { command: { resolveVariable } })).rejects.toMatchObject({
    code: 'E_PROVIDER_FAILED',
    message: expect.stringContaining('unset'),
  })
})

it('replaces all variables, none, or those that are listed', async () => {
  const body = '${CLAUDE_SKILL_DIR} ${CLAUDE_SESSION_ID}'
  expect(await textOf(body, '', { ...bare, variables: 'none' }, parts)).toBe(body)
  expect(await textOf(body, '', { ...bare, variables: ['CLAUDE_SKILL_DIR'] }, parts)).toBe(
    `${baseDir} \${CLAUDE_SESSION_ID}`,
  )
})
