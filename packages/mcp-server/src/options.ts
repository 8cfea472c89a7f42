import * as s from '@skills/core/schema'
import type { Diagnostic, MaybePromise, Skills } from '@skills/core'
import type { InvokerOptions } from '@skills/invocation'
import type { PermissionDecision, PermissionRequest } from '@skills/rules'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'

/** Request that was denied because no one could be asked, or because its skill is not trusted. */
export interface Denied {
  readonly request: PermissionRequest
  readonly decision: PermissionDecision
}

export const skillsServerOptions = s.options('SkillsServer.open()', {
  /** Engine whose skills are served. The caller closes it after the server. */
  skills: s.typed<Skills>('an engine').required(),
  /** Options of its distribution for the tool, the port and invocations. A whole distribution is accepted. */
  distribution: s
    .typed<{
      readonly tool?: SkillToolOptions | undefined
      readonly port?: EnginePortOptions | undefined
      readonly invoker?: InvokerOptions | undefined
    }>('an object')
    .default({}),
  /** Name and version of the server for its clients. */
  server: s
    .typed<{ readonly name: string; readonly version: string }>('an object')
    .default({ name: 'skills', version: '0.0.0' }),
  /** Tell clients that no call changes anything. The engine has to be made accordingly. */
  isReadOnly: s.flag().default(false),
  /** Watch files, and notify clients of changes. */
  watches: s.flag().default(true),
  /** Entries on one page of a list. Many clients read at most 64 pages. */
  pageSize: s.count().default(250),
  /** Milliseconds that a question to a person waits for its answer. */
  answerMs: s.count().default(300_000),
  /** Milliseconds that a call may take, including the wait for a person. After that it ends with `E_TIMEOUT`. */
  callMs: s.count().default(3_600_000),
  /**
   * Returns a sentence on how to allow a request that was denied because no one can be asked, or because its skill is
   * not trusted (`decisionReason.type` is `trust`). Undefined if nothing would. Default: it names a rule.
   */
  allowHint: s
    .fn<(request: PermissionRequest, decision: PermissionDecision) => MaybePromise<string | undefined>>()
    .default(({ tool, content }, { decisionReason: { type } }) =>
      type === 'trust' ? undefined : `Allow the call with the rule ${tool}(${content}).`,
    ),
  /** Called once for each skill that cannot be served, and for problems of clients and the watch. */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
})

export interface SkillsServerOptions extends s.OptionsOf<typeof skillsServerOptions> {}

export type Settled = ReturnType<typeof skillsServerOptions.read>
