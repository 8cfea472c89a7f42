import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { missingFolders } from './missing-folders.js'

test('the folders that are missing are named, the outermost first', () => {
  const tree = tempTree({ there: { dir: true } })
  onTestFinished(() => tree.dispose())
  const there = `${tree.path}/there`
  expect([missingFolders(`${there}/a/b`), missingFolders(there)]).toEqual([[`${there}/a`, `${there}/a/b`], []])
})
