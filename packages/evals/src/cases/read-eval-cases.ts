import { dirname } from 'node:path'
import { messageOf, type Diagnostic } from '@skills/core'
import { lstatOf, placeOfJsonError, realPathOf, parseJson } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'
import type { JsonPlace, JsonReader } from './json-reader.js'
import { textKinds, trialKinds, type TextValues, type TrialValues } from './assertion-kinds.js'
import type { EvalAssertion, EvalCases, EvalFile, EvalQuery, EvalTask } from './eval-cases.js'

/** Result of reading a skill's cases. `cases` is missing if there is no case that can be used. */
export interface ReadEvalCases {
  readonly cases?: EvalCases | undefined
  /** Problems of the file. If one of them is an error, `cases` is undefined. */
  readonly diagnostics: readonly Diagnostic[]
}

const caseKeys = ['id', 'name', 'files', 'allow', '$comment']
const taskKeys = [...caseKeys, 'prompt', 'expected_output', 'expectations', 'assertions', 'should_trigger']
const queryKeys = [...caseKeys, 'query', 'should_trigger']
const anyKinds = { ...textKinds, ...trialKinds }
const assertionKeys = ['file', 'absent', ...Object.keys(anyKinds), '$comment']

/** Returns the problems of the cases beside a skill: for the option `beside` of `lintFiles` and `lintCatalog`. */
export async function checkEvalCases(
  skillFile: string,
  name: string | undefined,
  signal?: AbortSignal,
): Promise<readonly Diagnostic[]> {
  return (await readEvalCases(skillFile, name, signal)).diagnostics
}

/**
 * Reads the cases beside a skill from `evals/evals.json`: the format of skill-creator with the additions of
 * `evals.schema.json`. Problems of the file are returned as diagnostics and never thrown. See docs/reference/evals.md,
 * "Cases".
 * @param skillFile absolute path of the SKILL.md
 * @param name name of the skill; a file for another name gives a warning
 */
export async function readEvalCases(
  skillFile: string,
  name: string | undefined,
  signal?: AbortSignal,
): Promise<ReadEvalCases> {
  const folder = dirname(skillFile)
  const path = `${folder}/evals/evals.json`
  // Most skills have no cases, and end here.
  if (lstatOf(path) === undefined) return { diagnostics: [] }
  const real = realPathOf(folder) ?? folder
  const file = await readWholeFile(path, { within: [real], signal })
  if (file === undefined) return { diagnostics: [] }
  if ('problem' in file) return { diagnostics: [file.problem] }
  const text = file.bytes.toString('utf8').replace(/^\ufeff/, '')
  let reader: JsonReader
  try {
    parseJson(text)
    reader = new (await import('./json-reader.js')).JsonReader(text)
  } catch (error) {
    const message = `The cases are not JSON: ${messageOf(error).replace(/\.$/, '')}.`
    return { diagnostics: [{ ...problem(path, 'invalid-evals', message), ...placeOfJsonError(text) }] }
  }
  const found = casesIn(reader, path)
  const diagnostics = reader.problems.map(({ at, message, line, column }): Diagnostic => ({
    ...problem(path, 'invalid-evals', at === '' ? `The file ${message}.` : `\`${at}\` ${message}.`),
    line,
    column,
  }))
  if (found === undefined || diagnostics.length > 0) return { diagnostics }
  const { skillName, ...cases } = found
  const missing = [...cases.queries, ...cases.tasks].flatMap(({ files, id }) =>
    files.flatMap(({ from }) => (from === undefined || isFileIn(folder, real, from) ? [] : [{ from, id }])),
  )
  const lost = missing.map(({ from, id }) =>
    problem(
      path,
      'missing-eval-file',
      `The case "${id}" needs the file ${from}, but the folder of the skill has no such file.`,
    ),
  )
  const all = [...lost, ...advice(cases, skillName, name)]
  return { diagnostics: all, ...(lost.length === 0 && { cases }) }
}

function isFileIn(folder: string, real: string, from: string): boolean {
  const target = realPathOf(`${folder}/${from}`)
  return target?.startsWith(`${real}/`) === true && lstatOf(target)?.isFile() === true
}

function problem(path: string, code: string, message: string): Diagnostic {
  return { severity: 'error', type: 'validation', code, path, message, hint: 'Correct the file.' }
}

function advice(
  { path, queries }: EvalCases,
  skillName: string | undefined,
  name: string | undefined,
): readonly Diagnostic[] {
  const positive = queries.filter(({ shouldTrigger }) => shouldTrigger).length
  const one = { type: 'validation', path } as const
  return [
    ...(skillName === undefined || name === undefined || skillName === name
      ? []
      : [
          {
            ...one,
            severity: 'warning' as const,
            code: 'other-skill-evals',
            message: `The cases are for the skill "${skillName}", but this skill is called "${name}".`,
            hint: `Write "skill_name": "${name}".`,
          },
        ]),
    ...(queries.length > 0 && (positive === 0 || positive === queries.length)
      ? [
          {
            ...one,
            severity: 'info' as const,
            code: 'one-sided-evals',
            message: `Every query ${positive === 0 ? 'is one that should not' : 'should'} trigger the skill.`,
            hint: `Add queries that ${positive === 0 ? 'should' : 'should not'} trigger the skill: a description that ${positive === 0 ? 'never' : 'always'} triggers passes all of these.`,
          },
        ]
      : []),
  ]
}

function casesIn(reader: JsonReader, path: string): (EvalCases & { readonly skillName?: string }) | undefined {
  const { top } = reader
  if (top === undefined) return undefined
  // skill-creator keeps the queries of a description in a bare list.
  if (top.node.type === 'array') return { path, tasks: [], queries: queriesIn(reader, top) }
  const members = reader.object(top, ['$schema', '$comment', 'skill_name', 'evals', 'queries'])
  if (members === undefined) return undefined
  const read = reader.list(members.get('evals'), (item, index) => taskIn(reader, item, index))
  const tasks = read.map(({ task }) => task)
  const given = members.get('queries')
  const queries =
    given === undefined
      ? read.map(({ task: { id, prompt, files, allow }, shouldTrigger }) => ({
          id,
          prompt,
          files,
          allow,
          shouldTrigger,
        }))
      : queriesIn(reader, given)
  const skillName = reader.text(members.get('skill_name'))
  refuseSameIds(reader, members.get('evals'), tasks)
  refuseSameIds(reader, given, given === undefined ? [] : queries)
  return { path, tasks, queries, ...(skillName !== undefined && { skillName }) }
}

/** Reports cases with the same id. Recordings and baselines identify cases by their ids. */
function refuseSameIds(
  reader: JsonReader,
  place: JsonPlace | undefined,
  cases: readonly { readonly id: string }[],
): void {
  const twice = cases.find(({ id }, at) => cases.findIndex(one => one.id === id) !== at)
  if (place !== undefined && twice !== undefined) reader.wrong(place, `has two cases with the id "${twice.id}"`)
}

function queriesIn(reader: JsonReader, place: JsonPlace): readonly EvalQuery[] {
  return reader.list(place, (item, index) => {
    const members = reader.object(item, queryKeys)
    const prompt = reader.text(members?.get('query'))
    const shouldTrigger = reader.flag(members?.get('should_trigger'))
    if (members === undefined) return undefined
    if (!members.has('query')) return reader.wrong(item, 'needs "query": the text that a person would type')
    if (!members.has('should_trigger')) return reader.wrong(item, 'needs "should_trigger": true or false')
    if (prompt === undefined || shouldTrigger === undefined) return undefined
    return { prompt, shouldTrigger, ...shared(reader, members, `query ${index + 1}`) }
  })
}

function taskIn(
  reader: JsonReader,
  item: JsonPlace,
  index: number,
): { readonly task: EvalTask; readonly shouldTrigger: boolean } | undefined {
  const members = reader.object(item, taskKeys)
  if (members === undefined) return undefined
  const prompt = reader.text(members.get('prompt'))
  if (!members.has('prompt')) return reader.wrong(item, 'needs "prompt": the task')
  const expectedOutput = reader.text(members.get('expected_output'))
  const expectations = reader.list(members.get('expectations'), one => reader.text(one))
  const assertions = reader.list(members.get('assertions'), one => assertionIn(reader, one))
  const shouldTrigger = reader.flag(members.get('should_trigger')) ?? true
  if (prompt === undefined) return undefined
  return {
    shouldTrigger,
    task: {
      prompt,
      ...shared(reader, members, `eval ${index + 1}`),
      ...(expectedOutput !== undefined && { expectedOutput }),
      assertions: [...assertions, ...expectations.map(judge => ({ judge }))],
    },
  }
}

function shared(
  reader: JsonReader,
  members: ReadonlyMap<string, JsonPlace>,
  place: string,
): Pick<EvalTask, 'id' | 'files' | 'allow'> {
  const given = members.get('id')
  const id: unknown = given?.node.value
  if (given !== undefined && typeof id !== 'string' && typeof id !== 'number')
    reader.wrong(given, 'must be a text or a number')
  return {
    id: id === undefined ? (reader.text(members.get('name')) ?? place) : String(id),
    files: reader.list(members.get('files'), one => fileIn(reader, one)),
    allow: reader.list(members.get('allow'), one => reader.text(one)),
  }
}

function fileIn(reader: JsonReader, place: JsonPlace): EvalFile | undefined {
  if (place.node.type === 'string') {
    const from = pathIn(reader, place)
    return from === undefined ? undefined : { from, path: from.replace(/^evals\/(files\/)?/, '') }
  }
  const members = reader.object(place, ['path', 'text', 'from'])
  const path = pathIn(reader, members?.get('path'))
  const from = pathIn(reader, members?.get('from'))
  const text: unknown = members?.get('text')?.node.value
  if (members === undefined || path === undefined)
    return members === undefined || members.has('path') ? undefined : reader.wrong(place, 'needs "path"')
  if ((typeof text === 'string') === (from !== undefined))
    return reader.wrong(place, 'needs either "text" (its content) or "from" (a file of the skill)')
  return { path, ...(typeof text === 'string' ? { text } : { from }) }
}

/** Returns a relative path that does not leave its folder, or reports a problem. */
function pathIn(reader: JsonReader, place: JsonPlace | undefined): string | undefined {
  const path = reader.text(place)
  if (place === undefined || path === undefined) return undefined
  const isPlain = !/^[/\\]|^[a-z]:|\\|\0/i.test(path) && path.split('/').every(part => !['', '.', '..'].includes(part))
  return isPlain ? path : reader.wrong(place, 'must be a relative path with forward slashes and without ".."')
}

function assertionIn(reader: JsonReader, place: JsonPlace): EvalAssertion | undefined {
  if (place.node.type === 'string') {
    const judge = reader.text(place)
    return judge === undefined ? undefined : { judge }
  }
  const members = reader.object(place, assertionKeys)
  if (members === undefined) return undefined
  const given = Object.keys(anyKinds).filter(key => members.has(key))
  const file = pathIn(reader, members.get('file'))
  const absent = reader.flag(members.get('absent'))
  const values: Partial<TextValues & TrialValues> = Object.fromEntries(
    Object.entries(anyKinds).flatMap(([key, { read }]) => {
      const at = members.get(key)
      return at === undefined ? [] : [[key, read(reader, at)]]
    }),
  )
  if (members.has('file')) {
    if (given.some(key => Object.hasOwn(trialKinds, key)))
      return reader.wrong(place, `is about a file, so it may not have ${Object.keys(trialKinds).join(' or ')}`)
    return file === undefined ? undefined : { file, absent, ...values }
  }
  if (given.length === 0) return reader.wrong(place, `needs one of ${['file', ...Object.keys(anyKinds)].join(', ')}`)
  if (given.length > 1 || absent !== undefined)
    return reader.wrong(place, 'has several conditions: write one assertion for each')
  // It has one key, whose kind has read the value. An undefined value is a problem of the file, which then gives no cases.
  return values as EvalAssertion
}
