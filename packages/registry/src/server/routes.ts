import { bytesOfFile } from '../bytes-of-file.js'
import { briefJson, versionJson } from '../version-json.js'
import { content, json, jsonText, missing, refusal, type Answer } from './answer.js'
import { openApi, parameters, type Described } from './open-api.js'
import type { Artifacts } from './artifacts.js'
import type { Registry, SkillName, SkillVersion } from '../registry-types.js'

/** Request whose path fits a route. */
export interface Call {
  readonly registry: Registry
  readonly artifacts: Artifacts
  /** Parts of the path by their names. */
  readonly part: (name: string) => string
  readonly query: URLSearchParams
  readonly signal: AbortSignal
  /** True if the client has what has this tag. */
  readonly has: (tag: string) => boolean
}

export interface Route extends Described {
  /** Share that a request takes of those that a client may send. */
  readonly cost: number
  readonly run: (call: Call) => Answer | Promise<Answer>
}

const skillPath = '/v1/skills/{namespace}/{name}'
const versionPath = `${skillPath}/versions/{version}`
const indexPath = '.well-known/agent-skills/index.json'

/** Everything that is served. The document of the interface is made of it. */
export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/health',
    id: 'health',
    text: 'Says whether the registry can be read. Needs no token.',
    answers: 'Health',
    cost: 1,
    run: async ({ registry, signal }) => json({ status: 'ok', skills: await registry.count({ signal }) }),
  },
  {
    method: 'GET',
    path: '/v1/openapi.json',
    id: 'openapi',
    text: 'Returns this document.',
    answers: 'application/json',
    cost: 1,
    run: () => json(openApi(routes)),
  },
  {
    method: 'GET',
    path: '/v1/search',
    id: 'search',
    text: 'Returns the skills that fit the words of a query best, the best first.',
    query: ['q', 'limit', 'namespace'],
    answers: 'Found',
    cost: 2,
    async run(call) {
      const { registry, query, signal } = call
      const words = query.get('q') ?? ''
      if (words.trim() === '') throw refused('The parameter q is missing.', 'Give words to search for: ?q=WORDS')
      const found = await registry.search(words, { limit: limitOf(call), signal, isBrief: true, ...partOf(call) })
      return json({ query: words, results: found.map(({ version, score }) => ({ score, ...briefJson(version) })) })
    },
  },
  {
    method: 'GET',
    path: '/v1/skills',
    id: 'listSkills',
    text: 'Returns a page of all skills, by namespace and name.',
    query: ['limit', 'after', 'namespace'],
    answers: 'Page',
    cost: 2,
    async run(call) {
      const after = call.query.get('after') ?? undefined
      const { registry, signal } = call
      const page = await registry.page({ limit: limitOf(call), after, signal, isBrief: true, ...partOf(call) })
      return json({ skills: page.versions.map(briefJson), next: page.next })
    },
  },
  {
    method: 'GET',
    path: skillPath,
    id: 'getSkill',
    text: 'Returns a skill: its latest version, and all versions, the newest first, yanked ones too.',
    answers: 'Skill',
    cost: 2,
    async run(call) {
      const skill = skillOf(call)
      const [latest, versions] = [
        await call.registry.find(skill),
        await call.registry.versions(skill, { isBrief: true }),
      ]
      const [newest] = versions
      if (newest === undefined) throw missing(`skill ${skill.namespace}/${skill.name}`)
      const { namespace, name } = newest
      return json({ namespace, name, latest: latest && versionJson(latest), versions: versions.map(briefJson) })
    },
  },
  {
    method: 'GET',
    path: versionPath,
    id: 'getVersion',
    text: 'Returns a version, by its digest, label or tag.',
    answers: 'Version',
    cost: 1,
    run: async call => json(versionJson(await versionOf(call))),
  },
  {
    method: 'GET',
    path: `${versionPath}/archive`,
    id: 'getArchive',
    text: 'Returns the files of a version as a tar archive with gzip.',
    answers: 'application/gzip',
    cost: 5,
    async run(call) {
      const version = await versionOf(call)
      const body = call.has(version.digest) ? Buffer.alloc(0) : await call.artifacts.archive(version)
      return content(body, 'application/gzip', { tag: version.digest })
    },
  },
  {
    method: 'GET',
    path: `${versionPath}/SKILL.md`,
    id: 'getText',
    text: 'Returns the file SKILL.md of a version.',
    answers: 'text/markdown',
    cost: 1,
    async run(call) {
      const version = await versionOf(call)
      const main = version.files.find(({ path }) => /^skill\.md$/i.test(path))
      if (main === undefined) throw missing('file SKILL.md of this version')
      const body = await bytesOfFile(digest => call.registry.file(digest), main, version)
      return content(body, 'text/markdown; charset=utf-8', { tag: `sha256:${main.digest}` })
    },
  },
  {
    method: 'GET',
    path: `/${indexPath}`,
    id: 'getIndex',
    text: 'Returns an index of all skills, of version 0.2. It has each name once.',
    answers: 'Index',
    cost: 10,
    run: async call => index(call, '../../v1'),
  },
  {
    method: 'GET',
    path: `/{namespace}/${indexPath}`,
    id: 'getNamespaceIndex',
    text: 'Returns an index of the skills of one namespace.',
    answers: 'Index',
    cost: 10,
    run: async call => index(call, '../../../v1', call.part('namespace')),
  },
]

async function index({ artifacts }: Call, base: string, namespace?: string): Promise<Answer> {
  const text = await artifacts.index(namespace, base)
  if (text === undefined) throw missing(namespace === undefined ? 'skills' : `skills of ${JSON.stringify(namespace)}`)
  return jsonText(text)
}

const refused = (message: string, hint: string) => refusal(400, 'E_REGISTRY_REQUEST', message, hint)

function limitOf({ query }: Call): number {
  const { default: usual, maximum } = parameters.limit
  const given = query.get('limit') ?? String(usual)
  const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (limit < 1 || limit > maximum)
    throw refused(`The parameter limit is ${JSON.stringify(given)}.`, `Give a number from 1 to ${maximum}.`)
  return limit
}

function partOf({ query }: Call): { readonly prefix?: string } {
  const namespace = query.get('namespace')
  return namespace === null ? {} : { prefix: `${namespace}/` }
}

const skillOf = ({ part }: Call): SkillName => ({ namespace: part('namespace'), name: part('name') })

async function versionOf(call: Call): Promise<SkillVersion> {
  const [skill, wanted] = [skillOf(call), call.part('version')]
  const version = await call.registry.find(skill, wanted)
  if (version !== undefined) return version
  throw missing(
    `version ${JSON.stringify(wanted)} of ${skill.namespace}/${skill.name}`,
    `Look at its versions: GET /v1/skills/${skill.namespace}/${skill.name}`,
  )
}
