import fc from 'fast-check'
import { posix } from 'node:path'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { TouchedFiles, WorkingFolder } from './touched-files.js'

function folder(): WorkingFolder {
  const tree = tempTree({ 'work/x': '' })
  onTestFinished(() => tree.dispose())
  return new WorkingFolder(fakeHost({ cwd: `${tree.path}/work` }))
}

it('gives a path of the working folder as it is from there, and nothing for any other', () => {
  const working = folder()
  const part = fc.constantFrom('a', 'b.ts', '..', '.', '', 'work', 'work-two', '...', ' ')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), parts => {
      const path = `${working.path}/${parts.join('/')}`
      const plain = posix.resolve(path)
      const expected = plain.startsWith(`${working.path}/`) ? plain.slice(working.path.length + 1) : undefined
      expect(working.relative(path)).toBe(expected)
      expect(expected?.split('/').some(one => one === '..' || one === '.' || one === '') ?? false).toBe(false)
    }),
    { numRuns: 1000 },
  )
})

it('takes a path that is not absolute as one of the working folder', () => {
  expect(['src/x', './y', '../z'].map(path => folder().relative(path))).toEqual(['src/x', 'y', undefined])
})

it('works in the root folder, and where the working folder is named as a file in it', () => {
  expect(new WorkingFolder(fakeHost({ cwd: '/' })).relative('/a/b')).toBe('a/b')
  const working = folder()
  expect(new WorkingFolder(fakeHost({ cwd: `${working.path}/x` })).relative(`${working.path}/y`)).toBe('y')
})

it('remembers each file once, none that lies too deep, and no more than 10,000', () => {
  const touched = new TouchedFiles(folder())
  const deep = (folders: number): string => `${'d/'.repeat(folders)}x`
  expect(touched.add(['a', 'b', 'a', deep(32), deep(33)])).toEqual(['a', 'b', deep(32)])
  expect(touched.add(['a', 'c'])).toEqual(['c'])
  expect(touched.isFull).toBe(false)
  touched.add(Array.from({ length: 9995 }, (_, at) => `f${at}`))
  expect(touched.add(['g', 'h'])).toEqual(['g', 'h'])
  expect([touched.paths.length, touched.isFull, touched.add(['g', 'h'])]).toEqual([10_000, true, ['h']])
})
