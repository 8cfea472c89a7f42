import { SkillsError } from '@skills/core'
import { maskSecrets as masked } from '@skills/state/secrets'
import { limitBrokenBy, quotedPath } from '../entry-name.js'

/** Entry of an index, which stands for one file or for an archive with the files of one skill. */
export interface IndexEntry {
  /** Path below the root; for an archive the folder of its skill. */
  readonly path: string
  readonly kind: 'file' | 'archive' | 'unknown'
  /** Kind in the index's own words. */
  readonly type: string
  readonly url: URL
  readonly size: number | undefined
  /** SHA-256 in hexadecimal digits; undefined in an index of version 0.1. */
  readonly digest: string | undefined
}

const schema = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

type Json = Readonly<Record<string, unknown>>

/** Reads an index in any of its versions; see the README. */
export function readIndex(bytes: Buffer, url: URL, maxFiles: number): readonly IndexEntry[] {
  const wrong = (why: string): SkillsError =>
    new SkillsError('E_HTTP_INDEX', `${masked(url.href)} is not an index of skills: ${why}.`, {
      hint: 'Check the URL, or ask the publisher of the site.',
    })
  const index = parsed()
  const seen = new Set<string>()
  const entries = [...entriesOf()]
  return entries

  function* entriesOf(): Generator<IndexEntry> {
    const { skills, files, $schema } = index
    if (Array.isArray(files)) return yield* files.map(file => plainFile(object(file, 'a file')))
    if (!Array.isArray(skills)) throw wrong('it has neither "skills" nor "files"')
    if ($schema !== undefined && $schema !== schema)
      throw wrong(`its $schema is ${JSON.stringify($schema)}, and only ${schema} is known`)
    for (const one of skills) {
      const skill = object(one, 'a skill')
      const name = pathOf(skill['name'], 'a skill')
      if (name.includes('/')) throw wrong(`${JSON.stringify(name)} is not a valid name of a skill`)
      if (Array.isArray(skill['files'])) yield* skill['files'].map(file => listedFile(name, file))
      else if ($schema === undefined) throw wrong('it has no $schema')
      else yield artifact(name, skill)
    }
  }

  /** Reads an entry of a plain index. */
  function plainFile({ path, size, digest, url: where }: Json): IndexEntry {
    const known = pathOf(path, 'a file')
    if (!Number.isSafeInteger(size) || Number(size) < 0) throw wrong(`${JSON.stringify(known)} has no size`)
    return entry({
      path: known,
      kind: 'file',
      type: 'file',
      url: where === undefined ? below(known) : urlOf(where, known),
      size: Number(size),
      digest: digestOf(digest, known),
    })
  }

  /** Reads a file of version 0.1, which is a text, or of the first drafts of 0.2, which has a digest. */
  function listedFile(skill: string, file: unknown): IndexEntry {
    const { path, digest } = typeof file === 'string' ? { path: file, digest: undefined } : object(file, 'a file')
    const known = `${skill}/${pathOf(path, 'a file')}`
    return entry({
      path: known,
      kind: 'file',
      type: 'file',
      url: below(known),
      size: undefined,
      digest: typeof file === 'string' ? undefined : digestOf(digest, known),
    })
  }

  /** Reads an entry of version 0.2: a file or an archive. */
  function artifact(name: string, { type, url: where, digest }: Json): IndexEntry {
    const known = { type: String(type), url: urlOf(where, name), size: undefined, digest: digestOf(digest, name) }
    if (type === 'archive') return entry({ ...known, path: name, kind: 'archive' })
    return entry({ ...known, path: `${name}/SKILL.md`, kind: type === 'skill-md' ? 'file' : 'unknown' })
  }

  function entry(made: IndexEntry): IndexEntry {
    if (seen.has(made.path)) throw wrong(`it has ${JSON.stringify(made.path)} twice`)
    seen.add(made.path)
    if (seen.size > maxFiles)
      throw new SkillsError('E_HTTP_LIMIT', `${masked(url.href)} has more than ${maxFiles} files.`, {
        hint: 'Allow more: "maxFiles".',
      })
    return made
  }

  function below(path: string): URL {
    return new URL(path.split('/').map(encodeURIComponent).join('/'), url)
  }

  function urlOf(where: unknown, of: string): URL {
    if (typeof where !== 'string' || !URL.canParse(where, url.href)) throw wrong(`${JSON.stringify(of)} has no URL`)
    return new URL(where, url)
  }

  function pathOf(path: unknown, what: string): string {
    const broken = typeof path === 'string' ? limitBrokenBy(path) : undefined
    if (broken !== undefined) throw wrong(`${what} in it has a path that ${broken}: ${quotedPath(String(path))}`)
    if (
      typeof path !== 'string' ||
      /[\0\\]/.test(path) ||
      path.split('/').some(part => part === '' || part === '.' || part === '..')
    )
      throw wrong(`${what} in it has the invalid path ${JSON.stringify(path)}`)
    return path
  }

  function digestOf(digest: unknown, of: string): string {
    const [, digits] = /^sha256:([0-9a-f]{64})$/.exec(String(digest)) ?? []
    return digits ?? fail(`${JSON.stringify(of)} has no SHA-256 digest`)
  }

  function object(value: unknown, what: string): Json {
    return isObject(value) ? value : fail(`${what} in it is not an object`)
  }

  function fail(why: string): never {
    throw wrong(why)
  }

  function parsed(): Json {
    try {
      return object(JSON.parse(bytes.toString()), 'what is')
    } catch (error) {
      throw SkillsError.is(error) ? error : wrong('it is not JSON')
    }
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
