import { callOf, recordsOf, type RememberCall } from './remembered.js'
import type { SourceName } from '@skills/core'
import type { State } from '@skills/state'

/** Key of the skill that an approval is about. */
export interface ApprovalKey {
  /** Real path of the project that it was approved in. */
  readonly project: string
  readonly source: SourceName
  readonly name: string
  /** Real path of its file, since two skills of one project may have the same name. */
  readonly path: string
}

export interface Approval extends ApprovalKey {
  /** Digest of the approved content; absent if the approval is not bound to content. */
  readonly digest?: string | undefined
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** Name in the state. Its value is `{ skills: [{ project, source, name, path, digest, since }] }`. */
const stateName = 'approvals'

export async function findApproval(state: State, key: ApprovalKey, call: RememberCall): Promise<Approval | undefined> {
  return approvalsIn(await state.read(stateName, callOf(call))).find(one => isSame(one, key))
}

export async function storeApproval(state: State, approval: Approval, call: RememberCall): Promise<void> {
  await state.update(
    stateName,
    value => ({ skills: [...approvalsIn(value).filter(one => !isSame(one, approval)), approval] }),
    callOf(call),
  )
}

/** Forgets the approvals of skills for which `isMeant` returns true, given the path of their file or project. */
export async function forgetApprovals(
  state: State,
  isMeant: (path: string) => boolean,
  call: RememberCall,
): Promise<void> {
  await state.update(
    stateName,
    value => {
      const approvals = approvalsIn(value)
      const left = approvals.filter(one => !isMeant(one.path) && !isMeant(one.project))
      return left.length === approvals.length ? value : { skills: left }
    },
    callOf(call),
  )
}

function approvalsIn(value: unknown): readonly Approval[] {
  return recordsOf(value, 'skills').flatMap(({ project, source, name, path, digest, since }) => {
    if (
      typeof project !== 'string' ||
      typeof source !== 'string' ||
      typeof name !== 'string' ||
      typeof path !== 'string' ||
      typeof since !== 'number'
    )
      return []
    return { project, source, name, path, since, ...(typeof digest === 'string' && { digest }) }
  })
}

function isSame(a: ApprovalKey, b: ApprovalKey): boolean {
  return a.project === b.project && a.source === b.source && a.name === b.name && a.path === b.path
}
