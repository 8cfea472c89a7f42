import { defineProvider, type Provider } from '@skills/core'
import { memoryState } from './memory-state.js'
import type { State } from './state.js'

/**
 * Makes a provider of state that reads what another one has stored and keeps every change in memory: nothing is saved,
 * and nothing that was saved is forgotten.
 */
export function unsavedState(stored: Provider<'state'>): Provider<'state'> {
  return defineProvider({ ...stored, setup: async context => overlay(await stored.setup(context)) })
}

function overlay(stored: State): State {
  const { state: changes } = memoryState()
  const changed = new Set<string>()
  return {
    read: (name, call) => (changed.has(name) ? changes : stored).read(name, call),
    async update(name, change, call) {
      const before = changed.has(name) ? undefined : await stored.read(name, call)
      // Another change may have been made while the stored value was read.
      if (!changed.has(name)) {
        await changes.update(name, () => before, call)
        changed.add(name)
      }
      return changes.update(name, change, call)
    },
  }
}
