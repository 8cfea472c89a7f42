import type { LoadOptions, YAMLException } from 'js-yaml'
import { AliasLimitError, countAliases } from './aliases.js'
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

/** What reading takes of an engine. */
export interface YamlReader {
  /** A text on its own. */
  load(text: string, aliasNodes: number): YamlOutcome
  /** A frontmatter block; the position is that in the block. */
  loadBlock(block: string, aliasNodes: number): YamlOutcome
}

/** The libraries: js-yaml, and gray-matter for blocks and documents. */
export interface YamlEngine extends YamlReader {
  /** One value as YAML text, without a line feed at its end. */
  dump(value: unknown): string
  /** A document with frontmatter. */
  stringify(data: Record<string, unknown>, body: string): string
}

/** Longer runs of white space make gray-matter's search for comments slow: its time grows with their square. */
const maxBlankRun = 2_000

let shared: Promise<YamlEngine> | undefined

/** The engine, loaded when it is first asked for. */
export function loadSharedEngine(): Promise<YamlEngine> {
  shared ??= loadEngine().catch((cause: unknown) => {
    // A failed import may succeed the next time.
    shared = undefined
    throw cause
  })
  return shared
}

/** Loads the two libraries. Nothing else in the package imports them. */
async function loadEngine(): Promise<YamlEngine> {
  const [yaml, { matter }] = await Promise.all([import('js-yaml'), import('./matter.js')])
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
    if (thrown instanceof TooManyWarningsError) return { ok: false, code: 'invalid-yaml', reason: thrown.message, line: thrown.line, column: 0 }
    if (!(thrown instanceof yaml.YAMLException)) throw thrown
    const { reason, mark } = thrown as YAMLException & { mark?: YAMLException['mark'] }
    return { ok: false, code: 'invalid-yaml', reason: reason ?? 'not YAML', line: mark?.line ?? 0, column: mark?.column ?? 0 }
  }

  function loadBlock(block: string, aliasNodes: number): YamlOutcome {
    if (hasLongBlankRun(block)) return load(block, aliasNodes)
    let outcome: YamlOutcome | undefined
    matter(`---\n${block}\n\0`, {
      language: 'yaml',
      // The block's end is known already: a line of it that begins with hyphens must not end it for gray-matter.
      delimiters: ['---', '\0'],
      engines: {
        ...refusedEngines,
        // What it is given starts with the line feed behind the fence. It is not told the data, which it would look into.
        yaml: (source: string) => {
          outcome = load(source.slice(1), aliasNodes)
          return {}
        },
      },
    })
    return outcome ?? { ok: true, value: undefined, duplicate: undefined, deficientLines: [] }
  }

  function dump(value: unknown): string {
    return yaml.dump(value, { lineWidth: -1, noRefs: true }).replace(/\n$/, '')
  }

  return {
    load,
    loadBlock,
    dump,
    stringify: (data, body) => {
      const block = dump(data)
      // gray-matter trims the block, and with it the white space that ends a text.
      if (block.trim() !== block) return `---\n${block}\n---\n${body.endsWith('\n') ? body : `${body}\n`}`
      const engines = { ...refusedEngines, yaml: { parse: () => ({}), stringify: () => block } }
      // As an object, so that gray-matter does not look for frontmatter in the body.
      return matter.stringify({ content: body }, data, { language: 'yaml', engines })
    },
  }
}

function isNullWord(text: unknown): boolean {
  return text === null || text === '~' || text === 'null' || text === 'Null' || text === 'NULL'
}

function refuse(): never {
  throw new Error('frontmatter in a language other than YAML is never evaluated')
}

/** gray-matter evaluates JavaScript unless each of its engines is replaced. */
const refusedEngines = Object.fromEntries(
  ['javascript', 'js', 'coffee', 'coffeescript', 'cson', 'json', 'toml', 'yml'].map((name) => [name, { parse: refuse, stringify: refuse }]),
)

function hasLongBlankRun(text: string): boolean {
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    run = code === 32 || (code >= 9 && code <= 13) || code === 160 || code >= 0x1680 && /\s/.test(text[at]!) ? run + 1 : 0
    if (run > maxBlankRun) return true
  }
  return false
}
