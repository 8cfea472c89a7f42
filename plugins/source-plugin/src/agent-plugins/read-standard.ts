import { closestNames, type Diagnostic } from '@skills/core'
import { checkStandard, type SkillFields } from '@skills/skill-md'
import {
  fieldPath,
  isJsonObject,
  pathInside,
  standardServers,
  standardVersion,
  type JsonFile,
} from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import type { FieldFinding, SkillFile } from '@skills/skill-md/internal'
import { copyInside } from '../copy-inside.js'
import { lineOf } from '../line-of.js'
import type { Manifest } from '../manifest.js'
import type { ManifestText, ReadManifest } from '../read-manifest.js'
import { judgeManifest, standardKeys, versionIn, type Violation } from './manifest-rules.js'
import { escapingField } from './start-of-server.js'
import { formViolation, judgeServersFile, meaningViolation, type StandardServer } from './server-rules.js'
import type { StandardParts } from './standard-parts.js'

/** Root manifest of a plugin, and the manifest in another format beside it. */
export interface StandardTexts {
  readonly root: JsonFile
  /** Absolute path of the plugin's folder. */
  readonly folder: string
  readonly realPath: string
  /** Text of the other manifest, and its reading. */
  readonly beside?: { readonly text: ManifestText; readonly read: ReadManifest } | undefined
}

/** Parts of a plugin that has no other manifest: the standard knows nothing but skills and servers. */
const nothingElse = {
  commands: [],
  hasDefaults: false,
  hooks: [],
  settings: new Map(),
  dependencies: [],
} as const satisfies Partial<Manifest>

/**
 * Reads a root `plugin.json` and the `mcp.json` beside it. Name, version, skills and servers come from them alone.
 * Commands, hooks and settings, which the standard does not have, come from the other manifest. See
 * docs/reference/plugins.md, "Agent Plugins".
 */
export function readStandard({ root, folder, realPath, beside }: StandardTexts): ReadManifest {
  const { fatal, ignored, otherVersion } = judgeManifest(root.data)
  if (fatal.length > 0) {
    const refused =
      otherVersion === undefined
        ? fatal.map(one => refusal(root, one))
        : [unsupported(root, otherVersion, 'Nothing of the plugin is loaded.')]
    return { manifest: undefined, problems: refused }
  }
  const { servers, problems } = readServers(folder, realPath)
  const { name, version } = root.data
  const { manifest: other, problems: otherProblems = [] } = beside?.read ?? {}
  return {
    manifest: {
      ...nothingElse,
      ...other,
      areFound: undefined,
      name: String(name),
      version: version === undefined ? undefined : String(version),
      file: root.path,
      isEntry: false,
      skills: [],
      standard: { servers, checkSkill },
    },
    problems: [
      ...ignored.map(one => ignoredField(root, one)),
      ...(beside === undefined ? [] : unusedSkills(beside.text, root.path)),
      ...otherProblems,
      ...problems,
    ],
  }
}

function refusal(root: JsonFile, { keys, message }: Violation): Diagnostic {
  return {
    severity: 'error',
    type: 'validation',
    code: 'invalid-manifest',
    path: root.path,
    field: fieldPath(keys),
    ...lineOf(root, keys),
    message: `"${fieldPath(keys)}" of the Agent Plugins manifest ${message}.`,
    hint: 'Nothing of the plugin is loaded until the manifest is corrected.',
  }
}

function unsupported(file: JsonFile, version: string, consequence: string): Diagnostic {
  return {
    severity: 'error',
    type: 'validation',
    code: 'unsupported-plugin-version',
    path: file.path,
    field: '$schema',
    ...lineOf(file, ['$schema']),
    message: `The file is of version ${version} of the Agent Plugins standard, and this program reads ${standardVersion}. ${consequence}`,
    hint: `Use a release of this program that reads ${version}, or a release of the plugin for ${standardVersion}.`,
  }
}

function ignoredField(root: JsonFile, { keys, message }: Violation): Diagnostic {
  const field = fieldPath(keys)
  const [close] = keys[0] === 'extensions' ? [] : closestNames(field, standardKeys, 1)
  return {
    severity: 'warning',
    type: 'validation',
    code: 'unknown-manifest-key',
    path: root.path,
    field,
    ...lineOf(root, keys),
    message: `"${field}" ${message}, and is ignored.`,
    hint: close === undefined ? 'Put data for one program under "extensions".' : `Did you mean "${close}"?`,
  }
}

/** Returns a warning for skills that the other manifest names outside of the folder `skills`. */
function unusedSkills(text: ManifestText, root: string): readonly Diagnostic[] {
  const field = (['skills', 'skillsPath', 'skillsPaths'] as const).find(key =>
    [text.data[key]].flat().some(path => typeof path === 'string' && pathInside(path) !== 'skills'),
  )
  return field === undefined
    ? []
    : [
        {
          severity: 'warning',
          type: 'validation',
          code: 'unused-manifest',
          path: text.path,
          field: `${text.prefix ?? ''}${field}`,
          ...lineOf(text, [field]),
          message: `${text.path} names skills without effect: the plugin also has ${root}, and the skills of such a plugin are the folders in "skills".`,
          hint: 'Move these skills to folders directly in "skills".',
        },
      ]
}

function readServers(
  folder: string,
  within: string,
): { readonly servers: StandardParts['servers']; readonly problems: readonly Diagnostic[] } {
  const file = readJsonFile(`${folder}/${standardServers}`, {
    code: 'invalid-plugin-servers',
    what: 'The servers file',
    within,
  })
  if (file === undefined) return { servers: [], problems: [] }
  if ('severity' in file) return { servers: [], problems: [copyInside('plugin', file)] }
  const [violation] = judgeServersFile(file.data)
  if (violation !== undefined) {
    const otherVersion = versionIn(file.data['$schema'], 'mcp')
    return {
      servers: [],
      problems: [
        otherVersion === undefined
          ? {
              severity: 'error',
              type: 'validation',
              code: 'invalid-plugin-servers',
              path: file.path,
              field: fieldPath(violation.keys),
              ...lineOf(file, violation.keys),
              message: `"${fieldPath(violation.keys)}" of the servers file ${violation.message}.`,
              hint: 'No server of the plugin is used until the file is corrected. Its skills are.',
            }
          : unsupported(file, otherVersion, 'No server of the plugin is used.'),
      ],
    }
  }
  const given = file.data['mcpServers']
  const servers: (readonly [string, StandardServer])[] = []
  const problems: Diagnostic[] = []
  for (const [name, server] of Object.entries(isJsonObject(given) ? given : {})) {
    const wrong =
      formViolation(server) ??
      meaningViolation(server as StandardServer) ??
      linkViolation(server as StandardServer, within)
    const keys = ['mcpServers', name, ...(wrong?.keys ?? [])]
    const place = { path: file.path, field: fieldPath(keys), ...lineOf(file, keys) }
    if (wrong !== undefined)
      problems.push({
        severity: 'error',
        type: 'validation',
        code: 'invalid-plugin-server',
        ...place,
        message: `The server ${JSON.stringify(name)} is left out: ${wrong.keys.length === 0 ? 'it' : `"${fieldPath(wrong.keys)}"`} ${wrong.message}.`,
        hint: 'Correct the entry. Other servers are not affected.',
      })
    else if ((server as StandardServer).type === 'sse')
      problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'unsupported-plugin-transport',
        ...place,
        message: `The server ${JSON.stringify(name)} is left out: this program does not have the transport "sse", which MCP replaced.`,
        hint: 'Use "streamable-http" if the server has it.',
      })
    else servers.push([name, server as StandardServer])
  }
  return { servers, problems }
}

/** Returns the violation of a path that a link leads out of the plugin. */
function linkViolation(server: StandardServer, root: string): Violation | undefined {
  if (server.type !== 'stdio') return undefined
  // The data folder belongs to the client, and is judged when the server starts.
  const field = escapingField(server, { root, data: `${root}/data` })
  const isOfData = field === 'cwd' && server.cwd?.startsWith('${PLUGIN_DATA}') === true
  return field === undefined || isOfData
    ? undefined
    : { keys: [field], message: 'leads out of the plugin through a link' }
}

/** Returns the errors of the Agent Skills standard. A key that it does not know is no error: other programs read it. */
function checkSkill(fields: SkillFields, { path = '' }: SkillFile): readonly FieldFinding[] {
  const { name, description, compatibility } = fields
  return checkStandard(
    {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(compatibility !== undefined && { compatibility }),
    },
    { folderName: path.split('/').at(-2) ?? '', bodyLines: 0 },
  ).filter(({ severity }) => severity === 'error')
}
