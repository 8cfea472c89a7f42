import { defineKind, type KindDefinition } from '@skills/core'
import type { Executor } from './executor.js'
import type { Permission, PermissionDecision } from './permission.js'
import type { Trust, TrustVerdict } from './trust.js'

declare module '@skills/core' {
  interface ProviderKinds {
    trust: Trust
    permission: Permission
    executor: Executor
  }
}

/** One that cannot tell trusts nobody. */
export const trustKind = defineKind('trust', { arity: 'one', limitMs: 10_000, onFailure: { closed: (): TrustVerdict => ({ level: 'untrusted', isApproved: false }) } })

/** One that cannot decide denies. */
export const permissionKind = defineKind('permission', {
  arity: 'one', limitMs: 10_000, onFailure: { closed: ({ message }): PermissionDecision => ({ behavior: 'deny', message, decisionReason: { type: 'failure' } }) },
})

/** What takes time in an invocation has limits of its own. */
export const executorKind = defineKind('executor', { arity: 'many', limitMs: Infinity, onFailure: 'throw' })

/** What {@link Invoker} asks: give these to `createSkills({ kinds })`. */
export const invocationKinds: readonly KindDefinition[] = [trustKind, permissionKind, executorKind]
