import { abortError } from '@skills/core'
import { loadStems } from '@skills/invocation/internal'
import { checkedVersion, fullNameOf, keyOf, lookOfName, tagForm, type CheckedVersion } from './new-version.js'
import { indexFacts, leastCommon, Search, within } from './search.js'
import { lengthsIn } from './index-entry.js'
import { registryError } from './registry-error.js'
import type { Ask, Database, Writing } from './database.js'
import type {
  Brevity,
  FoundVersion,
  NewVersion,
  Published,
  Registry,
  RegistryCall,
  Removed,
  SkillName,
  SkillVersion,
  VersionFile,
  VersionPage,
} from './registry-types.js'

/** Tag of the version that people get who ask for none. */
const latest = 'latest'
const mostVersions = 1_000
const mostFound = 200
/** Rows that one statement writes. */
const rowsAtOnce = 50
/** The common stems are counted again after this share of the skills has changed. */
const staleShare = 1 / 8

interface SkillRow {
  readonly id: number
  readonly full_name: string
  readonly current: number | null
}

interface VersionRow {
  readonly id: number
  readonly skill: number
  readonly namespace: string
  readonly name: string
  readonly current: number | null
  readonly digest: string
  readonly label: string | null
  readonly published_at: number | string
  readonly publisher: string | null
  readonly is_yanked: number
  readonly description: string
  /** Missing in a brief row, as what follows. */
  readonly bytes?: Uint8Array
  readonly files?: string
  readonly powers?: string | null
  readonly provenance?: string | null
}

const versionRows = `select version.*, namespace, skill.name, current, bytes from version
  join skill on skill.id = version.skill join file on file.digest = main`
/** The same without what may be large. */
const briefRows = `select version.id, skill, digest, label, published_at, publisher, is_yanked,
  substr(description, 1, 1024) as description, namespace, skill.name, current from version
  join skill on skill.id = version.skill`
const rowsFor = (isBrief: boolean): string => (isBrief ? briefRows : versionRows)

/** Change of the numbers that the ranking uses. */
interface Change {
  readonly before: readonly number[] | undefined
  readonly after: readonly number[] | undefined
}

export class SkillRegistry implements Registry {
  #search: Promise<Search> | undefined

  /** @param now returns the milliseconds since the epoch */
  constructor(
    private readonly database: Database,
    private readonly now: () => number,
  ) {}

  async publish(versions: readonly NewVersion[], { signal }: RegistryCall = {}): Promise<readonly Published[]> {
    const checked = await Promise.all(
      versions.map(async version => checkedVersion(version).catch((error: Error) => ({ error }))),
    )
    if (signal?.aborted === true) throw abortError(signal)
    return this.database.transaction(async writing => {
      const results: Published[] = []
      const changes: Change[] = []
      for (const [at, version] of versions.entries()) {
        const one = checked[at]!
        if ('error' in one) {
          results.push(one)
          continue
        }
        await writing.ask('savepoint version')
        try {
          changes.push(await this.#write(version, one, writing))
          results.push({ digest: one.digest })
        } catch (error) {
          if (!isRefusal(error)) throw error
          await writing.ask('rollback to savepoint version')
          results.push({ error })
        }
        await writing.ask('release savepoint version')
      }
      await count(changes, writing)
      return results
    })
  }

  async #write(version: NewVersion, one: CheckedVersion, writing: Writing): Promise<Change> {
    const { ask } = writing
    const { namespace, name, label, powers, provenance, publisher } = version
    const key = keyOf(version)
    await ask(`insert into skill (full_name, look, namespace, name) values (?1, ?2, ?3, ?4) on conflict do nothing`, [
      key,
      lookOfName(version),
      namespace,
      name,
    ])
    const [skill] = await ask<SkillRow>(
      `select id, full_name, current from skill where look = ?1${writing.forUpdate}`,
      [lookOfName(version)],
    )
    if (skill === undefined || skill.full_name !== key)
      throw registryError(
        'E_REGISTRY_NAME',
        `${fullNameOf(version)} is not published: it can be mistaken for ${skill?.full_name.replace(':', '/') ?? 'another skill'}.`,
        'Choose another name.',
      )
    const [row] = await ask<{ id: number }>(
      `insert into version (skill, digest, label, published_at, publisher, description, main, files, powers, provenance)
       values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) on conflict do nothing returning id`,
      [
        skill.id,
        one.digest,
        label ?? null,
        this.now(),
        publisher ?? null,
        one.description,
        one.main,
        JSON.stringify(one.files.map(({ path, digest, isExecutable, bytes }) => [path, digest, isExecutable, bytes])),
        powers === undefined ? null : JSON.stringify(powers),
        provenance === undefined ? null : JSON.stringify(provenance),
      ],
    )
    if (row === undefined) throw await existing(ask, skill, one.digest, label)
    for (const [digest, bytes] of one.contents)
      await ask('insert into file values (?1, ?2) on conflict do nothing', [digest, bytes])
    return this.#makeCurrent(skill, row.id, one, writing)
  }

  /** Makes a version the one that is found; undefined: the skill is found no more. */
  async #makeCurrent(
    { id }: Pick<SkillRow, 'id'>,
    version: number | null,
    one: Pick<CheckedVersion, 'entry'> | undefined,
    { ask, putWords }: Writing,
  ): Promise<Change> {
    await ask('update skill set current = ?2 where id = ?1', [id, version])
    const [old] = await ask<{ profile: Uint8Array }>('select profile from profile where skill = ?1', [id])
    await ask('delete from whole_name where skill = ?1', [id])
    const before = old && lengthsIn(old.profile)
    if (one === undefined) {
      await ask('delete from profile where skill = ?1', [id])
      await putWords(id, undefined)
      return { before, after: undefined }
    }
    const { entry } = one
    await ask('insert into profile values (?1, ?2) on conflict (skill) do update set profile = excluded.profile', [
      id,
      entry.profile,
    ])
    await insertRows(
      ask,
      'whole_name',
      entry.names.map(name => [name, id]),
    )
    await insertRows(ask, 'word', entry.words)
    await putWords(id, entry)
    return { before, after: entry.lengths }
  }

  async find(skill: SkillName, version: string = latest): Promise<SkillVersion | undefined> {
    const row = await versionOf(this.database.ask, skill, version)
    return row && (await this.#made([row]))[0]
  }

  async digests(skills: readonly SkillName[]): Promise<readonly (string | undefined)[]> {
    const { ask, listed } = this.database
    const rows = await ask<{ full_name: string; digest: string }>(
      `select full_name, digest from skill join version on version.id = current
       where full_name in ${listed('?1', 'text')}`,
      [JSON.stringify(skills.map(keyOf))],
    )
    const known = new Map(rows.map(({ full_name, digest }) => [full_name, digest]))
    return skills.map(skill => known.get(keyOf(skill)))
  }

  async versions(skill: SkillName, { isBrief = false }: Brevity = {}): Promise<readonly SkillVersion[]> {
    return this.#made(
      await this.database.ask<VersionRow>(
        `${rowsFor(isBrief)} where full_name = ?1 order by version.id desc limit ${mostVersions}`,
        [keyOf(skill)],
      ),
    )
  }

  async file(digest: string): Promise<Uint8Array | undefined> {
    const [row] = await this.database.ask<{ bytes: Uint8Array }>('select bytes from file where digest = ?1', [digest])
    return row?.bytes
  }

  async search(
    ...[query, { limit, prefix = '', tag = latest, isBrief = false }]: Parameters<Registry['search']>
  ): Promise<readonly FoundVersion[]> {
    const search = await (this.#search ??= loadStems().then(stemOf => new Search(this.database, stemOf)))
    const found = await search.find(query, Math.min(limit, mostFound), prefix.replace('/', ':'))
    const rows = await this.database.ask<VersionRow>(
      `${rowsFor(isBrief)} where ${tagged('?2')} and skill.id in ${this.database.listed('?1', 'int')}`,
      [JSON.stringify(found.map(({ skill }) => skill)), tag],
    )
    const made = await this.#made(rows)
    const bySkill = new Map(rows.map(({ skill }, at) => [skill, made[at]!]))
    return found.flatMap(({ skill, score }) => {
      const version = bySkill.get(skill)
      return version === undefined ? [] : { version, score }
    })
  }

  async page({
    limit,
    after = '',
    prefix = '',
    tag = latest,
    isBrief = false,
  }: Parameters<Registry['page']>[0]): Promise<VersionPage> {
    const rows = await this.database.ask<VersionRow>(
      `${rowsFor(isBrief)} where ${tagged('?4')} and full_name > ?1 ${within('?3')} order by full_name limit ?2`,
      [after.replace('/', ':'), limit + 1, prefix.replace('/', ':'), tag],
    )
    const versions = await this.#made(rows.slice(0, limit))
    const last = versions.at(-1)
    return { versions, ...(rows.length > limit && last !== undefined && { next: fullNameOf(last) }) }
  }

  async count({ prefix = '', tag = latest }: Parameters<Registry['count']>[0] = {}): Promise<number> {
    const { ask } = this.database
    if (prefix === '' && tag === latest) return (await indexFacts(ask)).skills
    const [row] = await ask<{ skills: number | string }>(
      `select count(*) as skills from version join skill on skill.id = version.skill
       where ${tagged('?2')} ${within('?1')}`,
      [prefix.replace('/', ':'), tag],
    )
    return Number(row?.skills ?? 0)
  }

  async revision(): Promise<number> {
    return (await indexFacts(this.database.ask)).revision ?? 0
  }

  async yank(skill: SkillName, version: string, isYanked: boolean): Promise<SkillVersion> {
    return this.#changed(skill, version, async (row, writing) => {
      await writing.ask('update version set is_yanked = ?2 where id = ?1', [row.id, Number(isYanked)])
      // Another version is found only if this one was, or if none was.
      if (isYanked ? row.current === row.id : row.current === null) {
        const [newest] = await writing.ask<{ id: number }>(
          'select id from version where skill = ?1 and is_yanked = 0 order by id desc limit 1',
          [row.skill],
        )
        await count([await this.#pointTo(row, newest?.id ?? null, writing)], writing)
      }
    })
  }

  async tag(skill: SkillName, tag: string, version: string): Promise<SkillVersion> {
    if (!tagForm.test(tag))
      throw registryError('E_REGISTRY_NAME', `${JSON.stringify(tag)} cannot be a tag.`, 'Begin with a letter.')
    return this.#changed(skill, version, async (row, writing) => {
      if (tag === latest && row.is_yanked === 1)
        throw registryError(
          'E_REGISTRY_NOT_FOUND',
          `${fullNameOf(skill)} ${version} is yanked, so it cannot be the latest version.`,
          'Take the yank back first.',
        )
      if (tag === latest) await count([await this.#pointTo(row, row.id, writing)], writing)
      else
        await writing.ask(
          'insert into tag values (?1, ?2, ?3) on conflict (skill, tag) do update set version = excluded.version',
          [row.skill, tag, row.id],
        )
    })
  }

  /** Changes a version, and returns it as it is then. */
  async #changed(
    skill: SkillName,
    version: string,
    change: (row: VersionRow, writing: Writing) => Promise<void>,
  ): Promise<SkillVersion> {
    const digest = await this.database.transaction(async writing => {
      const row = await demanded(writing.ask, skill, version)
      await change(row, writing)
      return row.digest
    })
    const [made] = await this.#made([await demanded(this.database.ask, skill, digest)])
    return made!
  }

  /** Makes a version that is there already the one that is found. */
  async #pointTo(row: VersionRow, version: number | null, writing: Writing): Promise<Change> {
    const skill = { id: row.skill }
    if (version === null) return this.#makeCurrent(skill, null, undefined, writing)
    const [main] = await writing.ask<{ bytes: Uint8Array }>(
      'select bytes from version join file on file.digest = main where version.id = ?1',
      [version],
    )
    const checked = await checkedVersion({
      namespace: row.namespace,
      name: row.name,
      files: [{ path: 'SKILL.md', bytes: main?.bytes ?? Buffer.alloc(0) }],
    })
    return this.#makeCurrent(skill, version, checked, writing)
  }

  async gc({ keep }: Parameters<Registry['gc']>[0] = {}): Promise<Removed> {
    return this.database.transaction(async writing => {
      const { ask } = writing
      const free = `version.id not in (select version from tag)
        and version.id not in (select current from skill where current is not null)`
      const yanked = await ask('delete from version where is_yanked = 1 and ' + free + ' returning id')
      const old =
        keep === undefined
          ? []
          : await ask(
              `delete from version where ${free} and id in (select id from (select id, row_number() over
               (partition by skill order by id desc) as place from version) as placed where place > ?1) returning id`,
              [keep],
            )
      const files = new Set(
        (await ask<{ files: string }>('select files from version'))
          .flatMap(row => filesIn(row.files))
          .map(one => one.digest),
      )
      const unused = (await ask<{ digest: string }>('select digest from file')).filter(
        ({ digest }) => !files.has(digest),
      )
      for (const { digest } of unused) await ask('delete from file where digest = ?1', [digest])
      await ask('delete from skill where current is null and id not in (select skill from version)')
      await writing.countCommon(leastCommon)
      return { versions: yanked.length + old.length, files: unused.length }
    })
  }

  async close(): Promise<void> {
    await this.database.close()
  }

  async #made(rows: readonly VersionRow[]): Promise<readonly SkillVersion[]> {
    const { ask, listed } = this.database
    const tags = await ask<{ tag: string; version: number }>(
      `select tag, version from tag where skill in ${listed('?1', 'int')} order by tag`,
      [JSON.stringify([...new Set(rows.map(({ skill }) => skill))])],
    )
    return rows.map(row => ({
      namespace: row.namespace,
      name: row.name,
      digest: row.digest,
      label: row.label ?? undefined,
      // Decoded on use: most answers of a search need no text.
      get text() {
        return Buffer.from(row.bytes ?? []).toString('utf8')
      },
      description: row.description,
      files: filesIn(row.files ?? '[]'),
      powers: row.powers == null ? undefined : JSON.parse(row.powers),
      provenance: row.provenance == null ? undefined : JSON.parse(row.provenance),
      publisher: row.publisher ?? undefined,
      publishedAt: Number(row.published_at),
      isYanked: row.is_yanked === 1,
      tags: [
        ...(row.current === row.id ? [latest] : []),
        ...tags.flatMap(({ tag, version }) => (version === row.id ? tag : [])),
      ],
    }))
  }
}

/** Returns the condition that a version is the one to which a tag leads. */
function tagged(parameter: string): string {
  return `current is not null and is_yanked = 0 and version.id = case when ${parameter} = '${latest}' then current
    else (select version from tag where tag.skill = skill.id and tag = ${parameter}) end`
}

function filesIn(text: string): readonly VersionFile[] {
  const rows: readonly (readonly [string, string, boolean, number])[] = JSON.parse(text)
  return rows.map(([path, digest, isExecutable, bytes]) => ({ path, digest, isExecutable, bytes }))
}

async function insertRows(ask: Ask, table: string, rows: readonly (readonly (string | number)[])[]): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce)
    const places = some.map((_row, each) => `(?${2 * each + 1}, ?${2 * each + 2})`)
    await ask(`insert into ${table} values ${places.join(', ')} on conflict do nothing`, some.flat())
  }
}

/** Writes the numbers that the ranking uses, and counts the common stems again if many skills have changed. */
async function count(changes: readonly Change[], writing: Writing): Promise<void> {
  if (changes.length === 0) return
  const facts = await indexFacts(writing.ask, writing.forUpdate)
  const [lengths, filled] = [[...facts.lengths], [...facts.filled]]
  let { skills } = facts
  for (const { before, after } of changes)
    for (const [all, step] of [
      [before, -1],
      [after, 1],
    ] as const) {
      if (all === undefined) continue
      skills += step
      for (const [field, length] of all.entries()) {
        lengths[field]! += step * length
        filled[field]! += step * Number(length > 0)
      }
    }
  const changed = facts.changes + changes.length
  const isStale = skills >= leastCommon && changed > skills * staleShare
  if (isStale) await writing.countCommon(leastCommon)
  const revision = (facts.revision ?? 0) + changes.length
  await writing.ask(`update fact set value = ?1 where name = 'index'`, [
    JSON.stringify({ skills, lengths, filled, changes: isStale ? 0 : changed, revision }),
  ])
}

/** Finds a version by `latest`, a tag, its label, its digest or the beginning of its digest. */
async function versionOf(ask: Ask, skill: SkillName, version: string): Promise<VersionRow | undefined> {
  const name = keyOf(skill)
  if (version === latest)
    return (await ask<VersionRow>(`${versionRows} where full_name = ?1 and version.id = current`, [name]))[0]
  const [named] = await ask<VersionRow>(
    `${versionRows} where full_name = ?1 and (label = ?2 or version.id = (select version from tag
       where tag.skill = skill.id and tag = ?2)) order by version.id desc limit 1`,
    [name, version],
  )
  if (named !== undefined) return named
  const digest = version.replace(/^sha256:/, '')
  if (!/^[\da-f]{12,64}$/.test(digest)) return undefined
  const some = await ask<VersionRow>(
    `${versionRows} where full_name = ?1 and version.digest >= ?2 and version.digest < ?3 limit 2`,
    [name, `sha256:${digest}`, `sha256:${digest}g`],
  )
  return some.length === 1 ? some[0] : undefined
}

async function demanded(ask: Ask, skill: SkillName, version: string): Promise<VersionRow> {
  const row = await versionOf(ask, skill, version)
  if (row !== undefined) return row
  throw registryError(
    'E_REGISTRY_NOT_FOUND',
    `The registry has no version ${JSON.stringify(version)} of ${fullNameOf(skill)}.`,
    'Look at the versions that it has.',
  )
}

/** Makes the error for a version that the registry has already. */
async function existing(ask: Ask, { id, full_name }: SkillRow, digest: string, label: string | undefined) {
  const name = full_name.replace(':', '/')
  const same = await ask('select id from version where skill = ?1 and digest = ?2', [id, digest])
  return same.length > 0
    ? registryError(
        'E_REGISTRY_EXISTS',
        `The registry has ${name} with this content already.`,
        'Publish changed content.',
      )
    : registryError(
        'E_REGISTRY_EXISTS',
        `The registry has another version of ${name} with the label ${JSON.stringify(label)}.`,
        'Choose another label.',
      )
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'E_REGISTRY_EXISTS' || error.code === 'E_REGISTRY_NAME')
