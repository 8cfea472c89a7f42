import * as s from '@skills/core/schema'
import { SkillsError, type Diagnostic, type Skills } from '@skills/core'
import type { InvokerOptions } from '@skills/invocation'
import type { PermissionRequest } from '@skills/rules'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'

const skillsServerOptions = s.options('SkillsServer.open()', {
  /** The engine whose skills are served; the caller closes it, after the server. */
  skills: s.typed<Skills>('an engine').required(),
  /** How its distribution has the tool, the port and invocations: `{ skills, ...distribution }` would be too much. */
  distribution: s.typed<{
    readonly tool?: SkillToolOptions | undefined
    readonly port?: EnginePortOptions | undefined
    readonly invoker?: InvokerOptions | undefined
  }>('an object'),
  /** What clients are told the server is called. Default: `skills`, and the version 0.0.0. */
  server: s.typed<{ readonly name: string; readonly version: string }>('an object'),
  /** Whether clients may take it that no call changes anything; the engine has to be made so. Default: false. */
  isReadOnly: s.flag(),
  /** Whether files are watched, and clients told of what changes. Default: true. */
  watches: s.flag(),
  /** Entries on one page of a list: clients often read 64 pages and no more. Default: 250. */
  pageSize: s.number(),
  /** Milliseconds that a question to a person waits for its answer. Default: 300,000. */
  answerMs: s.number(),
  /**
   * Milliseconds that a call may take; it ends with `E_TIMEOUT` then. The wait for a person counts. Default: 3,600,000.
   */
  callMs: s.number(),
  /** What to do to allow something where no one can be asked: a sentence. Default: a rule is named. */
  allowHint: s.fn<(request: PermissionRequest) => string>(),
  /** Told of skills that cannot be served, each once, and of what clients and the watch did wrong. */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
})

export interface SkillsServerOptions extends s.OptionsOf<typeof skillsServerOptions> {}

/** Options with their defaults. Throws `E_INVALID_OPTION` for what is not accepted. */
export function settled(given: SkillsServerOptions) {
  const options = skillsServerOptions.read(given)
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
