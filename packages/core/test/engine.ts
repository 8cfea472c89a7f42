import { fakeClock, fakeHost, type FakeClock } from '../../testing/src/index.js'
import {
  createSkills,
  defineKind,
  defineProvider,
  loadResult,
  type Command,
  type Diagnostic,
  type FileIdentity,
  type LoadParts,
  type LoadResult,
  type LocalCommand,
  type MaybePromise,
  type PromptCommand,
  type Provider,
  type Skills,
  type SkillsOptions,
  type Source,
  type SourceCall,
  type SourceName,
} from '../src/index.js'

export interface Greeter {
  greet(name: string): MaybePromise<string>
}

declare module '@skills/core' {
  interface ProviderKinds {
    greeter: Greeter
    judge: Greeter
    worker: Greeter
    soloist: Greeter
  }
}

/** One kind for every failure policy, and one that takes a single provider. */
export const kinds = [
  defineKind('greeter', { arity: 'many', onFailure: 'isolate', limitMs: 1000 }),
  defineKind('judge', { arity: 'many', onFailure: { closed: error => `no: ${error.code}` }, limitMs: 1000 }),
  defineKind('worker', { arity: 'many', onFailure: 'throw', limitMs: 1000 }),
  defineKind('soloist', { arity: 'one', onFailure: 'isolate', limitMs: 1000 }),
]

export interface Engine {
  readonly skills: Skills
  readonly clock: FakeClock
  readonly diagnostics: Diagnostic[]
  /** Returns the codes of the diagnostics so far. */
  codes(): string[]
}

export function engine(options: Partial<SkillsOptions> & Pick<SkillsOptions, 'plugins'>): Engine {
  const clock = fakeClock()
  const diagnostics: Diagnostic[] = []
  const skills = createSkills({
    kinds,
    host: fakeHost({ clock }),
    onDiagnostic: diagnostic => diagnostics.push(diagnostic),
    ...options,
  })
  return { skills, clock, diagnostics, codes: () => diagnostics.map(({ code }) => code) }
}

/** Makes a source that always returns the same commands. */
export function source(
  id: string,
  commands: readonly Command[],
  parts: Omit<LoadParts, 'commands'> = {},
): Provider<'source'> {
  return listing(id, () => loadResult({ commands, ...parts }))
}

export function listing(
  id: string,
  list: (call: SourceCall) => MaybePromise<LoadResult>,
  more: Partial<Source> & Pick<Provider<'source'>, 'order' | 'limitMs'> = {},
): Provider<'source'> {
  const { order = 0, limitMs = 10_000, ...rest } = more
  return defineProvider({ kind: 'source', id, order, limitMs, setup: () => ({ source: 'user', list, ...rest }) })
}

export function skill(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return {
    type: 'prompt',
    name,
    displayName: name,
    aliases: [],
    description: `Does ${name}.`,
    hasUserSpecifiedDescription: true,
    source: 'user',
    loadedFrom: 'skills',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    argumentNames: [],
    contentLength: 0,
    allowedTools: [],
    disallowedTools: [],
    context: 'inline',
    paths: [],
    shell: 'bash',
    requires: [],
    disableModelInvocation: false,
    isSkill: true,
    progressMessage: 'loading',
    metadata: {},
    load: () => ({ template: '' }),
    ...more,
  }
}

export function local(name: string, more: Partial<LocalCommand> = {}): LocalCommand {
  return {
    type: 'local',
    name,
    displayName: name,
    aliases: [],
    description: `Does ${name}.`,
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
    call: () => undefined,
    ...more,
  }
}

/** Makes a skill from a file at `path` that contains `text`. */
export function fileSkill(
  name: string,
  origin: SourceName,
  path: string,
  text: string,
  more: Partial<PromptCommand> = {},
): PromptCommand {
  return skill(name, {
    source: origin,
    filePath: path,
    baseDir: path.slice(0, path.lastIndexOf('/')),
    file: identity(path, text.length),
    digest: () => text,
    ...more,
  })
}

export function identity(realPath: string, size = 0): FileIdentity {
  return { realPath, dev: 1, ino: 1, size, mtimeMs: 0, ctimeMs: 0 }
}

export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

export function deferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {}
  let reject: Deferred<T>['reject'] = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

/** Lets all work settle that does not wait for anything outside. */
export function settled(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}

export function names(entries: readonly { readonly name: string }[]): string[] {
  return entries.map(({ name }) => name)
}
