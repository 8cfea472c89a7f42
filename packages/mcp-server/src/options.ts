import { checkOptions, SkillsError, type Diagnostic, type Skills } from '@skills/core'
import type { InvokerOptions } from '@skills/invocation'
import type { PermissionRequest } from '@skills/rules'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'

export interface SkillsServerOptions {
  /** The engine whose skills are served; the caller closes it, after the server. */
  readonly skills: Skills
  /** How its distribution has the tool, the port and invocations: `{ skills, ...distribution }` would be too much. */
  readonly distribution?:
    | {
        readonly tool?: SkillToolOptions | undefined
        readonly port?: EnginePortOptions | undefined
        readonly invoker?: InvokerOptions | undefined
      }
    | undefined
  /** What clients are told the server is called. Default: `skills`, and the version 0.0.0. */
  readonly server?: { readonly name: string; readonly version: string } | undefined
  /** Whether clients may take it that no call changes anything; the engine has to be made so. Default: false. */
  readonly isReadOnly?: boolean | undefined
  /** Whether files are watched, and clients told of what changes. Default: true. */
  readonly watches?: boolean | undefined
  /** Entries on one page of a list: clients often read 64 pages and no more. Default: 250. */
  readonly pageSize?: number | undefined
  /** Milliseconds that a question to a person waits for its answer. Default: 300,000. */
  readonly answerMs?: number | undefined
  /**
   * Milliseconds that a call may take; it ends with `E_TIMEOUT` then. The wait for a person counts. Default: 3,600,000.
   */
  readonly callMs?: number | undefined
  /** What to do to allow something where no one can be asked: a sentence. Default: a rule is named. */
  readonly allowHint?: ((request: PermissionRequest) => string) | undefined
  /** Told of skills that cannot be served, each once, and of what clients and the watch did wrong. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

/** Options with their defaults. Throws `E_INVALID_OPTION` for what is not accepted. */
export function settled(options: SkillsServerOptions) {
  checkOptions<SkillsServerOptions>('SkillsServer.open()', options, {
    skills: 1,
    distribution: 1,
    server: 1,
    isReadOnly: 1,
    watches: 1,
    pageSize: 1,
    answerMs: 1,
    callMs: 1,
    allowHint: 1,
    onDiagnostic: 1,
  })
  return {
    ...options,
    distribution: options.distribution ?? {},
    server: options.server ?? { name: 'skills', version: '0.0.0' },
    isReadOnly: options.isReadOnly ?? false,
    watches: options.watches ?? true,
    pageSize: wholeAbove0('pageSize', options.pageSize ?? 250),
    answerMs: wholeAbove0('answerMs', options.answerMs ?? 300_000),
    callMs: wholeAbove0('callMs', options.callMs ?? 3_600_000),
    allowHint:
      options.allowHint ??
      (({ tool, content }: PermissionRequest): string => `Allow it by the rule ${tool}(${content}).`),
  }
}

export type Settled = ReturnType<typeof settled>

/** Throws `E_INVALID_OPTION` for anything but a whole number above 0. */
export function wholeAbove0(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new SkillsError('E_INVALID_OPTION', `The option ${option} of the MCP server is ${value}.`, {
    hint: 'Give a whole number above 0.',
  })
}
