import { defineKind, type KindDefinition } from '@skills/core'
import { decide } from './hooks.js'
import { tracerKind } from './tracer.js'
import type { PermissionDecision } from '@skills/rules'
import type { TrustVerdict } from './trust.js'

/** One that cannot tell trusts no command. */
export const trustKind = defineKind('trust', {
  arity: 'one',
  limitMs: 10_000,
  onFailure: { closed: (): TrustVerdict => ({ level: 'untrusted', isApproved: false }) },
})

/** One that cannot decide denies. */
export const permissionKind = defineKind('permission', {
  arity: 'one',
  limitMs: 10_000,
  onFailure: {
    closed: ({ message }): PermissionDecision => ({ behavior: 'deny', message, decisionReason: { type: 'failure' } }),
  },
})

/** What takes time in an invocation has limits of its own. */
export const executorKind = defineKind('executor', { arity: 'many', limitMs: Infinity, onFailure: 'throw' })

/** How long a sub-agent may take is for the executor that forks to say. */
export const runnerKind = defineKind('runner', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

/**
 * Each hook has a limit of its own. One that keeps hooks and cannot ask them blocks nothing, and a diagnostic says why.
 */
export const hooksKind = defineKind('hooks', {
  arity: 'one',
  limitMs: Infinity,
  onFailure: 'isolate',
  methods: engine => ({ decide: (event, payload, options) => decide(engine, event, payload, options) }),
})

/** What an invocation asks: give these to `createSkills({ kinds })`. */
export const invocationKinds: readonly KindDefinition[] = [
  trustKind,
  permissionKind,
  executorKind,
  runnerKind,
  hooksKind,
  tracerKind,
]
