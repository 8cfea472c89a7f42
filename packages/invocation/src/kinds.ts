import { defineKind, type KindDefinition } from '@skills/core'
import { decide } from './hooks.js'
import { tracerKind } from './tracer.js'
import type { PermissionDecision } from '@skills/rules'
import type { TrustVerdict } from './trust.js'

/** Provider of trust. If it fails, no command is trusted. */
export const trustKind = defineKind('trust', {
  arity: 'one',
  limitMs: 10_000,
  onFailure: { closed: (): TrustVerdict => ({ level: 'untrusted', isApproved: false }) },
})

/** Provider of permission. If it fails, the answer is a denial. */
export const permissionKind = defineKind('permission', {
  arity: 'one',
  limitMs: 10_000,
  onFailure: {
    closed: ({ message }): PermissionDecision => ({ behavior: 'deny', message, decisionReason: { type: 'failure' } }),
  },
})

/**
 * Kind of the executors. Executors have no time limit as a whole, because the steps of an invocation have their own
 * limits.
 */
export const executorKind = defineKind('executor', { arity: 'many', limitMs: Infinity, onFailure: 'throw' })

/** Kind of the runner of sub-agents. It has no time limit here, because the executor that makes a fork sets one. */
export const runnerKind = defineKind('runner', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

/**
 * Provider of hooks. Each hook has a time limit of its own. If the provider fails, nothing is blocked and a diagnostic
 * says why.
 */
export const hooksKind = defineKind('hooks', {
  arity: 'one',
  limitMs: Infinity,
  onFailure: 'isolate',
  methods: engine => ({ decide: (event, payload, options) => decide(engine, event, payload, options) }),
})

/** Kinds of providers that invocation uses, for `createSkills({ kinds })`. */
export const invocationKinds: readonly KindDefinition[] = [
  trustKind,
  permissionKind,
  executorKind,
  runnerKind,
  hooksKind,
  tracerKind,
]
