import { expect, test } from 'vitest'
import { buildProgress, failuresIn, installProgress } from '../../../scripts/setup-progress.mjs'

const figures = (
  progress: (line: string) => string | undefined,
  ...lines: readonly string[]
): readonly (string | undefined)[] => lines.map(progress)

test('an installation says how many packages are there, and of how many once that is known', () => {
  expect(
    figures(
      installProgress(),
      'Scope: all 36 workspace projects',
      'Progress: resolved 1, reused 0, downloaded 0, added 0',
      'Packages: +812',
      'Progress: resolved 812, reused 800, downloaded 3, added 120',
      'Done in 3s',
    ),
  ).toEqual([undefined, undefined, undefined, '120 of 812', '120 of 812'])
  expect(figures(installProgress(), 'Progress: resolved 9, reused 0, downloaded 2, added 2, done')).toEqual(['2'])
})

test('a build says at which package it is, each counted once', () => {
  expect(
    figures(
      buildProgress(34),
      '• Running build in 36 packages',
      '@skills/core:build: cache hit, replaying logs 8de',
      '@skills/core:build: ',
      '@skills/files:build: cache miss, executing 1f',
      '@skills/files:build: cache miss, executing 1f',
    ),
  ).toEqual([undefined, '1 of 34', '1 of 34', '2 of 34', '2 of 34'])
})

test('of a failed build what is about the packages that failed is shown', () => {
  const output = [
    '@skills/core:build: cache hit, replaying logs 8de',
    '@skills/core:build: CLI Building',
    '@skills/files:build: error TS1005',
    ' Tasks:    1 successful, 2 total',
    'Failed:    @skills/files#build',
    '',
  ].join('\n')
  expect(failuresIn(output)).toBe(
    '@skills/files:build: error TS1005\n Tasks:    1 successful, 2 total\nFailed:    @skills/files#build\n',
  )
  expect(failuresIn('npm error network')).toBe('npm error network')
})
