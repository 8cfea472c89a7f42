import * as s from '@skills/core/schema'
import type { Diagnostic, Skills } from '@skills/core'
import type { InvokerOptions } from '@skills/invocation'
import type { PermissionRequest } from '@skills/rules'
import type { EnginePortOptions, SkillToolOptions } from '@skills/invocation/skill-tool'

export const skillsServerOptions = s.options('SkillsServer.open()', {
  /** The engine whose skills are served; the caller closes it, after the server. */
  skills: s.typed<Skills>('an engine').required(),
  /** How its distribution has the tool, the port and invocations: `{ skills, ...distribution }` would be too much. */
  distribution: s
    .typed<{
      readonly tool?: SkillToolOptions | undefined
      readonly port?: EnginePortOptions | undefined
      readonly invoker?: InvokerOptions | undefined
    }>('an object')
    .default({}),
  /** What clients are told the server is called. */
  server: s
    .typed<{ readonly name: string; readonly version: string }>('an object')
    .default({ name: 'skills', version: '0.0.0' }),
  /** Whether clients may take it that no call changes anything; the engine has to be made so. */
  isReadOnly: s.flag().default(false),
  /** Whether files are watched, and clients told of what changes. */
  watches: s.flag().default(true),
  /** Entries on one page of a list: clients often read 64 pages and no more. */
  pageSize: s.count().default(250),
  /** Milliseconds that a question to a person waits for its answer. */
  answerMs: s.count().default(300_000),
  /** Milliseconds that a call may take; it ends with `E_TIMEOUT` then. The wait for a person counts. */
  callMs: s.count().default(3_600_000),
  /** What to do to allow something where no one can be asked: a sentence. Default: a rule is named. */
  allowHint: s
    .fn<(request: PermissionRequest) => string>()
    .default(({ tool, content }) => `Allow it by the rule ${tool}(${content}).`),
  /** Told of skills that cannot be served, each once, and of what clients and the watch did wrong. */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
})

export interface SkillsServerOptions extends s.OptionsOf<typeof skillsServerOptions> {}

export type Settled = ReturnType<typeof skillsServerOptions.read>
