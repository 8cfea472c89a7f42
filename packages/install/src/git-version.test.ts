import { chmodSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { gitProblems, gitVersionProblems } from './git-version.js'

const codes = (said: string): readonly string[] => gitVersionProblems(said).map(({ code }) => code)

test('a git is too old that cannot be kept from reading the configuration of the person', () => {
  expect(['1.9.5', '2.17.1', '2.31.8'].map(version => codes(`git version ${version}\n`))).toEqual([
    ['old-git'],
    ['old-git'],
    ['old-git'],
  ])
  for (const version of ['2.32.0', '2.39.5 (Apple Git-154)', '2.47.1.windows.1', '3.0.0'])
    expect(codes(`git version ${version}\n`)).toEqual([])
  expect(codes('something else')).toEqual([])
})

test('the program on the search path is asked, and said if it is missing', async () => {
  const tree = tempTree({ empty: { dir: true } })
  onTestFinished(() => tree.dispose())
  expect(await asked(`${tree.path}/empty`)).toEqual(['no-git'])
  expect(await asked(undefined)).toEqual([])
})

test.skipIf(process.platform === 'win32')('an old program on the search path is said', async () => {
  const tree = tempTree({ 'old/git': '#!/bin/sh\necho git version 2.20.1\n' })
  onTestFinished(() => tree.dispose())
  chmodSync(`${tree.path}/old/git`, 0o755)
  expect(await asked(`${tree.path}/old`)).toEqual(['old-git'])
})

async function asked(PATH: string | undefined): Promise<readonly string[]> {
  const { signal } = new AbortController()
  return (await gitProblems({ env: { PATH } }, { signal })).map(({ code }) => code)
}
