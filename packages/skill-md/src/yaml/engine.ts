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

/** How a {@link FrontmatterReader} has a text read as YAML. */
export interface YamlReading {
  /** `typed` (default): `12` is a number and `true` a boolean. `text`: each stays the text that was written. */
  readonly scalars?: 'typed' | 'text'
  /** Whether `2024-01-01` is a date. Default: false, a text. */
  readonly dates?: boolean
  /** Whether `<<` takes over the pairs of another map. Default: false, a key like any other. */
  readonly merges?: boolean
  /** Tags that are not YAML's own: an error (default), or as if they were not there. */
  readonly tags?: 'error' | 'ignored'
  /**
   * Aliases that stand for many nodes: an error (default), or shared, for a reader that looks at none of the lists and
   * maps that they make.
   */
  readonly aliases?: 'bounded' | 'shared'
}

/** The YAML library. */
export interface YamlEngine {
  load(text: string, aliasNodes: number): YamlOutcome
  /** The same as another program would: a key that is given twice is a failure. */
  loadAs(text: string, aliasNodes: number, reading: YamlReading): YamlOutcome
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
  const nullType = new yaml.Type('tag:yaml.org,2002:null', {
    kind: 'scalar',
    resolve: isNullWord,
    construct: () => null,
  })
  const mergeType = new yaml.Type('tag:yaml.org,2002:merge', {
    kind: 'scalar',
    resolve: (text: unknown) => text === '<<',
  })
  const schema = yaml.FAILSAFE_SCHEMA.extend({ implicit: [nullType, mergeType] })

  /** What another program's schema has besides; each is made once. */
  const schemas = new Map<string, typeof schema>()

  function schemaOf({ scalars = 'typed', dates = false, merges = false, tags = 'error' }: YamlReading): typeof schema {
    const key = [scalars, dates, merges, tags].join()
    const known = schemas.get(key)
    if (known !== undefined) return known
    const date = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt \t])/
    const made = (scalars === 'typed' ? yaml.CORE_SCHEMA : yaml.FAILSAFE_SCHEMA).extend({
      implicit: [
        ...(scalars === 'typed' ? [] : [nullType]),
        ...(merges ? [mergeType] : []),
        ...(dates
          ? [
              new yaml.Type('tag:yaml.org,2002:timestamp', {
                kind: 'scalar',
                resolve: (text: unknown) => typeof text === 'string' && date.test(text),
                construct: (text: string) => new Date(text),
              }),
            ]
          : []),
      ],
      explicit:
        tags === 'error'
          ? []
          : (['scalar', 'sequence', 'mapping'] as const).flatMap(kind =>
              ['!', 'tag:yaml.org,2002:'].map(
                tag => new yaml.Type(tag, { kind, multi: true, construct: (value: unknown) => value }),
              ),
            ),
    })
    schemas.set(key, made)
    return made
  }

  function loadOnce(text: string, aliasNodes: number, json: boolean, as = schema): YamlSuccess {
    const warnings = new Warnings(countAliases(aliasNodes))
    const options: LoadOptions = { schema: as, json, listener: warnings.listen, onWarning: warnings.take }
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

  function loadAs(text: string, aliasNodes: number, reading: YamlReading): YamlOutcome {
    try {
      return loadOnce(text, aliasNodes, false, schemaOf(reading))
    } catch (thrown) {
      return describe(thrown)
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

  return { load, loadAs, dump }
}
