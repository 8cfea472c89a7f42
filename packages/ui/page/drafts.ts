import { useEffect, useState } from 'preact/hooks'

/** Text that a person typed and did not save. */
export interface Draft {
  /** Name of the skill, for the link to the editor. */
  readonly name: string
  readonly text: string
  /** Version of the file that the text was made from. */
  readonly version: string
}

/** Key of the drafts in the storage of this tab, which is emptied when the tab is closed. */
const stored = 'skills-ui-drafts'
/** Milliseconds without a key press before a draft is stored. */
const pauseMs = 200

const drafts = new Map<string, Draft>(Object.entries(readStored()))
const told = new Set<() => void>()
let timer = 0

/** Reads the drafts of this tab. What another program stored under this key is not taken for one. */
function readStored(): Record<string, Draft> {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(stored) ?? '{}')
    return Object.fromEntries(Object.entries(found ?? {}).filter(([, one]) => isDraft(one))) as Record<string, Draft>
  } catch {
    // A report that is opened from disk may have no storage; it has no editor either.
    return {}
  }
}

function isDraft(one: unknown): one is Draft {
  return (
    typeof one === 'object' &&
    one !== null &&
    ['name', 'text', 'version'].every(key => typeof Reflect.get(one, key) === 'string')
  )
}

/** Returns the draft of a file, by its path. */
export const draftOf = (path: string): Draft | undefined => drafts.get(path)

/** Keeps a draft until it is saved, discarded, or the tab is closed. Undefined removes it. */
export function keepDraft(path: string, draft: Draft | undefined): void {
  const had = drafts.has(path)
  if (draft === undefined) drafts.delete(path)
  else drafts.set(path, draft)
  clearTimeout(timer)
  if (draft === undefined) store()
  else timer = window.setTimeout(store, pauseMs)
  if (had !== (draft !== undefined)) for (const tell of told) tell()
}

function store(): void {
  clearTimeout(timer)
  try {
    if (drafts.size === 0) sessionStorage.removeItem(stored)
    else sessionStorage.setItem(stored, JSON.stringify(Object.fromEntries(drafts)))
  } catch {
    // The storage is full: the draft stays in the memory of the page, and leaving the page asks first.
  }
}

/** Stores drafts when the page is left, and asks a person who would lose them by closing the tab. */
export function watchDrafts(): void {
  addEventListener('pagehide', store)
  addEventListener('beforeunload', event => {
    store()
    if (drafts.size > 0) event.preventDefault()
  })
}

/** Returns all drafts by their paths. */
export function useDrafts(): ReadonlyMap<string, Draft> {
  const [all, setAll] = useState(() => new Map(drafts))
  useEffect(() => {
    const look = (): void => setAll(new Map(drafts))
    told.add(look)
    look()
    return () => {
      told.delete(look)
    }
  }, [])
  return all
}
