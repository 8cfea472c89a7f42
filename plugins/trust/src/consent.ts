import { createHash } from 'node:crypto'
import { skillRecordIn, type SkillRecord } from './skill-changes.js'
import type { Claim } from '@skills/invocation'

/** Item that trusting a folder switches on. */
export interface ConsentItem extends Claim {
  /** Line in the file. */
  readonly line?: number | undefined
  /** SHA-256 of exactly what counts, 64 hexadecimal digits: of the text, or of all files of a skill. */
  readonly digest: string
  /** Record of a skill, by which later changes can be named. */
  readonly record?: SkillRecord | undefined
}

/** Item that a person agreed to, in the form that is recorded. */
export type AgreedItem = Pick<ConsentItem, 'kind' | 'label' | 'path' | 'digest' | 'record'>

/** State of an item. `changed`: the person agreed to the item with another digest. */
export type ItemState = 'agreed' | 'changed' | 'new'

/** Makes a consent item from a claim. The item has the digest of the claim's text. */
export function consentItem(claim: Claim & { readonly line?: number | undefined }): ConsentItem {
  return { ...claim, digest: createHash('sha256').update(claim.text).digest('hex') }
}

/**
 * Returns the key of an item. Its text is not part of the key. A skill is known by its file alone: distributions give
 * the same file different names.
 */
export function keyOf({ kind, label, path }: AgreedItem): string {
  return JSON.stringify(kind === 'skill' ? [kind, path] : [kind, label, path])
}

/** Reads the items of a record. An invalid item is treated as not agreed to. */
export function agreedItemsIn(value: unknown): readonly AgreedItem[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((one: unknown) => {
    const {
      kind,
      label,
      path,
      digest,
      record: written,
    } = typeof one === 'object' && one !== null ? (one as Readonly<Record<string, unknown>>) : {}
    const record = skillRecordIn(written)
    return typeof kind === 'string' &&
      typeof label === 'string' &&
      typeof path === 'string' &&
      typeof digest === 'string'
      ? [{ kind, label, path, digest, ...(record && { record }) }]
      : []
  })
}
