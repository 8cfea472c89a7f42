import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { Workspace } from './workspace.js'
import { writerMark } from '@skills/state/internal'

test('what a trial of a process that was killed has left is removed by the next trial, and no other', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const mark = writerMark()
  const place = (before: string): string => `${tmpdir()}/skills-eval-${mark.replace(/^\d+/, before)}.tmp`
  const [left, another] = [place(String(pid)), place(String(process.pid)).replace(mark.slice(-4), '0000')]
  for (const folder of [left, another]) mkdirSync(`${folder}/files`, { recursive: true })
  onTestFinished(() => [left, another].forEach(folder => rmSync(folder, { recursive: true, force: true })))
  const workspace = await Workspace.open([{ path: 'a', text: 'x' }], tmpdir())
  expect([existsSync(left), existsSync(another), readdirSync(workspace.folder)]).toEqual([false, true, ['a']])
  await workspace.close()
  expect(existsSync(workspace.folder)).toBe(false)
})
