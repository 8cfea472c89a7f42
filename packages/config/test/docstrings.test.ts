import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace.mjs'

/** A docstring that begins like this has no verb and no thing, so a reader needs its end to understand its beginning. */
const withoutSubject = /\/\*\*(?:\s*\n\s*\*)? (?:What|Of|That|Whether|Those)\b.*/g

test('a docstring begins with what a function does, or with the thing that a value is', () => {
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'], { cwd: root, encoding: 'utf8' }).trim()
  const found = files.split('\n').flatMap(file => {
    const text = readFileSync(path.join(root, file), 'utf8')
    return [...text.matchAll(withoutSubject)].map(([line]) => `${file}: ${line.replace(/\s+/g, ' ')}`)
  })
  expect(found).toEqual([])
})
