import type { LoadOptions, YAMLException } from 'js-yaml'
import { AliasLimitError, countAliases } from './aliases.js'
import { isNullWord } from './null-word.js'
import { TooManyWarningsError, Warnings } from './warnings.js'

/** Where and why a text is no YAML; lines and columns count from 0 in the text that was given. */
export interface YamlFailure {
  readonly ok: false
  readonly code: 'invalid-yaml' | 'alias-bomb'
  /** The library's words, lower case, without position. */
  readonly reason: string
  readonly line: number
  readonly column: number
}

export interface YamlSuccess {
  readonly ok: true
  readonly value: unknown
  /** The first of the keys that are given twice in one map. */
  readonly duplicate: { readonly line: number; readonly column: number } | undefined
  /** 0-based lines whose value goes on left of where it has to. */
  readonly deficientLines: readonly number[]
}

export type YamlOutcome = YamlSuccess | YamlFailure

/** The YAML library. */
export interface YamlEngine {
  load(text: string, aliasNodes: number): YamlOutcome
  /** One value as YAML text, without a line feed at its end. */
  dump(value: unknown): string
}

let loaded: YamlEngine | undefined
let shared: Promise<YamlEngine> | undefined

/** The engine, loaded when it is first asked for. */
export function loadSharedEngine(): Promise<YamlEngine> {
  shared ??= loadEngine()
    .then(engine => (loaded = engine))
    .catch((cause: unknown) => {
      // A failed import may succeed the next time.
      shared = undefined
      throw cause
    })
  return shared
}

/** The engine, where it has been loaded. */
export function loadedEngine(): YamlEngine | undefined {
  return loaded
}

/** Loads the library. Nothing else in the package imports it. */
async function loadEngine(): Promise<YamlEngine> {
  const yaml = await import('js-yaml')
  // Scalars stay the text they were written as; only null and the merge key mean something.
  const schema = yaml.FAILSAFE_SCHEMA.extend({
    implicit: [
      new yaml.Type('tag:yaml.org,2002:null', { kind: 'scalar', resolve: isNullWord, construct: () => null }),
      new yaml.Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: unknown) => text === '<<' }),
    ],
  })

  function loadOnce(text: string, aliasNodes: number, json: boolean): YamlSuccess {
    const warnings = new Warnings(countAliases(aliasNodes))
    const options: LoadOptions = { schema, json, listener: warnings.listen, onWarning: warnings.take }
    return { ok: true, value: yaml.load(text, options), duplicate: undefined, deficientLines: warnings.deficientLines }
  }

  function load(text: string, aliasNodes: number): YamlOutcome {
    try {
      return loadOnce(text, aliasNodes, false)
    } catch (thrown) {
      const failure = describe(thrown)
      if (failure.reason !== 'duplicated mapping key') return failure
      try {
        return { ...loadOnce(text, aliasNodes, true), duplicate: failure }
      } catch (again) {
        return describe(again)
      }
    }
  }

  function describe(thrown: unknown): YamlFailure {
    if (thrown instanceof AliasLimitError) {
      return { ok: false, code: 'alias-bomb', reason: thrown.message, line: thrown.line, column: 0 }
    }
    if (thrown instanceof TooManyWarningsError)
      return { ok: false, code: 'invalid-yaml', reason: thrown.message, line: thrown.line, column: 0 }
    if (!(thrown instanceof yaml.YAMLException)) throw thrown
    const { reason, mark } = thrown as YAMLException & { mark?: YAMLException['mark'] }
    return {
      ok: false,
      code: 'invalid-yaml',
      reason: reason ?? 'not YAML',
      line: mark?.line ?? 0,
      column: mark?.column ?? 0,
    }
  }

  function dump(value: unknown): string {
    return yaml.dump(value, { lineWidth: -1, noRefs: true }).replace(/\n$/, '')
  }

  return { load, dump }
}
