import { stampIn, type Stamp } from '../stamp.js'
import { after } from '@skills/store/internal'
import type { StoreAnswer, Store } from '@skills/store'

export function sidecarPath(folder: string): string {
  return `${folder}/agents/openai.yaml`
}

/** Returns the stamp of a folder's sidecar, or undefined if it has none. */
export function sidecarStamp(
  folder: string,
  { store, now }: { readonly store: Store; readonly now: () => number },
): StoreAnswer<Stamp | undefined> {
  return after(stampIn(store, sidecarPath(folder), now()), stamp => (stamp.text === '' ? undefined : stamp))
}
