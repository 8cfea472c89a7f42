import fs, { readFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished } from 'vitest'
import { entriesOf } from '../src/file-entries.js'
import { fingerprintOf } from '../src/fingerprint.js'
import type { BundledFiles } from '../src/index.js'

/** Files of a skill, as they are registered. */
export const files = {
  'references/api.md': 'The API.',
  'scripts/deep/run.sh': 'echo run',
  'data.bin': new Uint8Array([0, 255]),
}

/** Returns the name of the folder of these files. */
export async function fingerprint(of: BundledFiles = files): Promise<string> {
  return fingerprintOf(await entriesOf(of, 'A test'))
}

export function textsIn(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['references/api.md', 'scripts/deep/run.sh', 'data.bin'].map(path => [
      path,
      readFileSync(`${folder}/${path}`, 'latin1'),
    ]),
  )
}

/** The same files as they are read in latin1. */
export const whole = { 'references/api.md': 'The API.', 'scripts/deep/run.sh': 'echo run', 'data.bin': '\0\u00ff' }
/** Counts the files below a folder that are opened until the test ends. */
export function countOpened(root: string): () => number {
  const { open } = promises
  const { openSync } = fs
  let count = 0
  promises.open = (path, ...all) => {
    if (String(path).startsWith(root)) count++
    return open(path, ...all)
  }
  fs.openSync = (path, flags, ...all) => {
    if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0) count++
    return openSync(path, flags, ...all)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    promises.open = open
    fs.openSync = openSync
    syncBuiltinESMExports()
  })
  return () => count
}

/** Calls `act` just before a folder is first renamed to a path with this ending. */
export function beforeRenaming(ending: string, act: (from: string) => void): void {
  const { renameSync } = fs
  let isOver = false
  fs.renameSync = (from, to) => {
    if (!isOver && String(to).endsWith(ending)) {
      isOver = true
      act(String(from))
    }
    return renameSync(from, to)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.renameSync = renameSync
    syncBuiltinESMExports()
  })
}

export const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(text) })
