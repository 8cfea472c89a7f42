import type { LoadOptions, YAMLException } from 'js-yaml'
import { AliasLimitError, countAliases } from './aliases.js'
import { isNullWord } from './null-word.js'
import { TooManyWarningsError, Warnings } from './warnings.js'

/** Place and reason of invalid YAML; lines and columns count from 0 in the given text. */
export interface YamlFailure {
  readonly ok: false
  readonly code: 'invalid-yaml' | 'alias-bomb'
  /** Reason in the library's words, in lower case and without position. */
  readonly reason: string
  readonly line: number
  readonly column: number
}

export interface YamlSuccess {
  readonly ok: true
  readonly value: unknown
  /** First key that is given twice in one map. */
  readonly duplicate: { readonly line: number; readonly column: number } | undefined
  /** 0-based lines whose value continues with too little indentation. */
  readonly deficientLines: readonly number[]
}

export type YamlOutcome = YamlSuccess | YamlFailure

/** Value of a text in YAML, or the reason why it is invalid; `line` counts from 0 in that text. */
export type YamlRead =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string; readonly line: number }

/** Options with which a {@link FrontmatterReader} reads a text as YAML. */
export interface YamlReading {
  /** `typed` (default): `12` is a number and `true` a boolean. `text`: each stays the text that was written.
   * `typed-1.1`: as in YAML 1.1, so that `12:30` is a number and `0o17` a text. */
  readonly scalars?: 'typed' | 'typed-1.1' | 'text'
  /** True if `2024-01-01` is a date. Default: false, it is a text. */
  readonly dates?: boolean
  /** True if `<<` takes over the pairs of another map. Default: false, it is a key like any other. */
  readonly merges?: boolean
  /** Treatment of tags that are not YAML's own: an error (default), or ignored. */
  readonly tags?: 'error' | 'ignored'
  /**
   * Treatment of aliases that stand for many nodes: an error (default), or shared, for a reader that does not walk the
   * lists and maps they make.
   */
  readonly aliases?: 'bounded' | 'shared'
  /** Treatment of a key that is given twice in one map: an error (default), or its last value counts. */
  readonly duplicates?: 'error' | 'last'
  /** True if a value that continues with too little indentation is an error. Default: false. */
  readonly strictIndent?: boolean
}

/** YAML library behind two functions for reading and one for writing. */
export interface YamlEngine {
  load(text: string, aliasNodes: number): YamlOutcome
  /** Reads a text as another program would. */
  loadAs(text: string, aliasNodes: number, reading: YamlReading): YamlOutcome
  /** Returns one value as YAML text, without a line feed at its end. */
  dump(value: unknown): string
}

/** True for an octal number of YAML 1.2, which is a text in YAML 1.1. */
function isText11(text: unknown): boolean {
  return typeof text === 'string' && /^[-+]?0o/.test(text)
}

/** True for a number that only YAML 1.1 knows: with base 60, such as `12:30`, or with `_` between digits. */
function isNumber11(text: unknown): boolean {
  return typeof text === 'string' && /^[-+]?\d[\d_]*(?:(?::[0-5]?\d)+(?:\.\d*)?|_[\d_]*(?:\.[\d_]*)?)$/.test(text)
}

let loaded: YamlEngine | undefined
let shared: Promise<YamlEngine> | undefined

/** Returns the engine, and loads it on the first call. */
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

/** Returns the engine if it has been loaded. */
export function loadedEngine(): YamlEngine | undefined {
  return loaded
}

/** Loads the library. Nothing else in the package imports it. */
async function loadEngine(): Promise<YamlEngine> {
  const yaml = await import('js-yaml')
  // Scalars stay the text that was written; only null and the merge key have a meaning.
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

  // The library has its types as values, which its declarations leave out.
  const { types: ownTypes } = yaml as typeof yaml & {
    readonly types: Readonly<Record<string, InstanceType<typeof yaml.Type> | undefined>>
  }
  /** Types of YAML 1.1, of which numbers differ. A tag of their own, since of one tag the last type counts. */
  const olderTypes = [
    new yaml.Type('tag:yaml.org,2002:str-1.1', { kind: 'scalar', resolve: isText11 }),
    new yaml.Type('tag:yaml.org,2002:int-60', {
      kind: 'scalar',
      resolve: isNumber11,
      construct: (text: string) =>
        text.split(':').reduce((sum, part) => sum * 60 + Number(part.replaceAll('_', '')), 0),
    }),
    ...['null', 'bool', 'int', 'float'].map(name => ownTypes[name]).filter(type => type !== undefined),
  ]

  /** Schemas for other programs; each is made once. */
  const schemas = new Map<string, typeof schema>()

  function schemaOf({ scalars = 'typed', dates = false, merges = false, tags = 'error' }: YamlReading): typeof schema {
    const key = [scalars, dates, merges, tags].join()
    const known = schemas.get(key)
    if (known !== undefined) return known
    const date = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt \t])/
    const made = (scalars === 'typed' ? yaml.CORE_SCHEMA : yaml.FAILSAFE_SCHEMA).extend({
      implicit: [
        ...(scalars === 'text' ? [nullType] : scalars === 'typed' ? [] : olderTypes),
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
      const read = loadOnce(text, aliasNodes, reading.duplicates === 'last', schemaOf(reading))
      const [line] = reading.strictIndent === true ? read.deficientLines : []
      if (line === undefined) return read
      return { ok: false, code: 'invalid-yaml', reason: 'continues without indentation', line, column: 0 }
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
