import { chmodSync, readdirSync } from 'node:fs'
import { fakeClock, fakeHost, tempTree, type FakeClock, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'
import { openState } from '../src/index.js'
import type { OpenedState } from '../src/state.js'
import type { Diagnostic } from '@skills/core'

export interface Opened {
  readonly tree: TempTree
  /** The state folder, `state` in the tree. */
  readonly folder: string
  readonly state: OpenedState
  readonly clock: FakeClock
  readonly told: readonly Diagnostic[]
  read(name?: string, signal?: AbortSignal): Promise<unknown>
  update(change: (value: unknown) => unknown, name?: string, signal?: AbortSignal): Promise<unknown>
  /** Names in the state folder. */
  names(): readonly string[]
}

/** Makes a temporary tree that other users may enter. The end of the test removes it. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Opens the state of a folder that belongs to the user who runs the tests, on a clock that stands still. */
export function opened(
  entries: TreeEntries = {},
  { uid = process.getuid?.() }: { readonly uid?: number | undefined } = {},
): Opened {
  const tree = temporary({ state: { dir: true, mode: 0o700 }, ...entries })
  const folder = `${tree.path}/state`
  const clock = fakeClock()
  const told: Diagnostic[] = []
  const state = openState(fakeHost({ uid, clock, platform: process.platform }), {
    dir: folder,
    report: diagnostic => told.push(diagnostic),
  })
  return {
    tree,
    folder,
    state,
    clock,
    told,
    read: async (name = 'usage', signal) => state.read(name, { signal }),
    update: async (change, name = 'usage', signal) => state.update(name, change, { signal }),
    names: () => readdirSync(folder).sort(),
  }
}

/** Returns the text of a file that holds a value. */
export function textOf(value: unknown, version = 1): string {
  return `${JSON.stringify({ version, value }, undefined, 2)}\n`
}

/** Returns a file entry that only its user can read and write. */
export function own(content: string | Uint8Array): { readonly content: string | Uint8Array; readonly mode: number } {
  return { content, mode: 0o600 }
}

export const isRoot = process.getuid?.() === 0
export const isPosix = process.platform !== 'win32'
