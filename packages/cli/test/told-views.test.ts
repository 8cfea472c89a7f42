import { createSkills } from '@skills/core'
import { claudeCode } from '@skills/distributions/claude-code'
import { standard } from '@skills/distributions/standard'
import { modelTools, enginePort } from '@skills/invocation/skill-tool'
import { memoryState } from '@skills/state'
import { tempTree, type TempTree } from '@skills/testing'
import { EngineAnswers, type ListingJson, type ToldJson } from '@skills/ui/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runIn } from './console.js'

/** Part of a skill that the text of a listing has: its whole description, the beginning of it, its name, or nothing. */
interface Part {
  readonly told: 'whole' | 'cut' | 'name' | 'no'
  readonly chars: number
}

const lengths = [24, 90, 330, 1100, 1900]
const count = 400

/** Returns a description of a length, without anything that a listing escapes. */
function described(at: number): string {
  const length = lengths[at % lengths.length] ?? 24
  return `Generated ${at}. ${'Use it when somebody asks for a thing of this kind. '.repeat(50)}`.slice(0, length).trim()
}

const names = Array.from({ length: count }, (_, at) => `gen-${at}`)
const isConditional = (at: number): boolean => at % 23 === 7
const isUserOnly = (at: number): boolean => at % 29 === 11
// Only settings of Claude Code switch skills off, which standard does not read.
const isOff = (at: number, agent: Agent): boolean => agent === 'claude-code' && at % 31 === 13
const isNameOnly = (at: number, agent: Agent): boolean => agent === 'claude-code' && at % 37 === 17
const isKept = (at: number, agent: Agent): boolean => isConditional(at) || isUserOnly(at) || isOff(at, agent)

const files = Object.fromEntries(
  names.map((name, at) => [
    `work/.claude/skills/${name}/SKILL.md`,
    `---\ndescription: ${described(at)}\n${isConditional(at) ? 'paths: ["api/**"]\n' : ''}${isUserOnly(at) ? 'disable-model-invocation: true\n' : ''}---\nText ${at}.\n`,
  ]),
)

const settings = {
  skillOverrides: Object.fromEntries(
    names.flatMap((name, at): readonly (readonly [string, string])[] =>
      isOff(at, 'claude-code') ? [[name, 'off']] : isNameOnly(at, 'claude-code') ? [[name, 'name-only']] : [],
    ),
  ),
}

let tree: TempTree

beforeAll(() => {
  tree = tempTree({
    'work/.git': { dir: true },
    'work/.claude/settings.json': JSON.stringify(settings),
    home: { dir: true },
    ...files,
  })
})

afterAll(() => tree.dispose())

/** Reads from the text of a listing what it tells of each skill. */
function partsIn(text: string): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>()
  for (const line of text.split('\n')) {
    const [, name, said = ''] = /^- (gen-\d+)(?:: (.*))?$/.exec(line) ?? []
    if (name === undefined) continue
    const at = Number(name.slice('gen-'.length))
    if (said === '') parts.set(name, { told: 'name', chars: 0 })
    else if (said === described(at)) parts.set(name, { told: 'whole', chars: said.length })
    else parts.set(name, { told: 'cut', chars: said.length - 1 })
  }
  return parts
}

/** Returns what the views should say of a skill, by the text of the listing. */
function expected(agent: Agent, parts: ReadonlyMap<string, Part>, name: string, at: number): object {
  const of = described(at).length
  const part = parts.get(name)
  if (isOff(at, agent)) return { told: 'no', cause: 'override', chars: 0, of }
  if (isUserOnly(at) && !isConditional(at)) return { told: 'user', chars: 0, of }
  if (isConditional(at)) return { told: 'later', chars: 0, of }
  if (part === undefined) return { told: 'no', cause: 'budget', chars: 0, of }
  if (part.told === 'name') return { told: 'name', cause: isNameOnly(at, agent) ? 'override' : 'budget', chars: 0, of }
  // A description that is longer than 1,536 characters is cut at any budget.
  const cause = part.told === 'whole' ? null : part.chars === 1535 ? 'strategy' : 'budget'
  return { ...part, cause, of }
}

/** Returns a pattern for the words of `explain` about this state. */
function wordsFor(told: ToldJson | undefined): RegExp {
  const number = (given: number): string => given.toLocaleString('en')
  if (told?.told === 'whole') return /the model +is told of it\.\n/
  if (told?.told === 'cut') return new RegExp(`cut to ${number(told.chars)} of ${number(told.of)} characters`)
  if (told?.told === 'name') return /Only its name is told/
  return told?.cause === 'budget' ? /not listed .*its budget of [\d,]+ characters is used up/ : /not listed /
}

type Row = { readonly name: string; readonly told: Pick<ToldJson, 'told' | 'cause' | 'chars' | 'of'> }
type Answer = Row & { readonly told: ToldJson }

type Agent = 'standard' | 'claude-code'

describe.each([
  ['standard', '1500'],
  ['standard', '30000'],
  ['standard', '2000000'],
  ['claude-code', '1500'],
  ['claude-code', '30000'],
  ['claude-code', '2000000'],
] as const)('%s with %s characters', (agent, chars) => {
  const at = () => ({
    cwd: `${tree.path}/work`,
    home: `${tree.path}/home`,
    env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: chars },
  })
  const run = async (...argv: readonly string[]) => runIn([...argv, '--distribution', agent], at())
  const json = async (...argv: readonly string[]): Promise<unknown> => JSON.parse((await run(...argv, '--json')).stdout)
  const parts = async () => partsIn((await run('listing')).stdout)

  const agree = (rows: readonly Row[], listed: ReadonlyMap<string, Part>): void => {
    const found = new Map(rows.map(({ name, told }) => [name, told]))
    for (const [index, name] of names.entries())
      expect({ name, ...found.get(name) }).toMatchObject({ name, ...expected(agent, listed, name, index) })
  }

  test('the list, the search and the page agree with the text of the listing', async () => {
    const listed = await parts()
    const list = (await json('list', '--all', '--told')) as readonly Row[]
    agree(list, listed)
    const { found } = (await json('search', 'generated')) as { readonly found: readonly Row[] }
    agree(found, listed)
    const host = { host: at(), managed: { dirs: [] }, state: memoryState(), onDiagnostic: () => {} }
    const distribution = agent === 'standard' ? standard({ ...host, authorSkills: true }) : claudeCode(host)
    const skills = createSkills(distribution)
    try {
      const signal = new AbortController().signal
      // No run is asked for.
      const answers = new EngineAnswers(
        { skills, distribution },
        { runs: { journal: undefined } as never, version: '0', signal },
      )
      agree([...(await answers.skills())], listed)
      const { text } = await answers.listing({})
      expect(partsIn(text)).toEqual(listed)
      const [tool] = await modelTools(enginePort(skills, distribution.port), {
        tool: { ...distribution.tool, listingIn: 'description' },
        // A tool for searching would be named in the listing, and take room.
        search: false,
      })
      const inTool = partsIn((await tool?.describe()) ?? '')
      // In claude-code a host has the room too that the skills of the released program take, so only the names agree.
      const compared = (all: ReadonlyMap<string, Part>): unknown => (agent === 'standard' ? all : [...all.keys()])
      expect(compared(inTool)).toEqual(compared(listed))
    } finally {
      await skills.close()
    }
  })

  test('explain and show agree with it, in words and numbers', async () => {
    const listed = await parts()
    const states = new Map(
      names.map((name, index) => [JSON.stringify(expected(agent, listed, name, index)).replace(/\d+/g, ''), index]),
    )
    for (const index of states.values()) {
      const name = names[index] ?? ''
      const wanted = expected(agent, listed, name, index)
      const explained = (await json('explain', name)) as { readonly answers: readonly Answer[] }
      expect(explained.answers).toEqual([expect.objectContaining({ name, told: expect.objectContaining(wanted) })])
      expect((await run('explain', name)).stdout).toMatch(wordsFor(explained.answers[0]?.told))
      const shown = await run('show', name, '--json')
      expect(shown.code === 0 ? JSON.parse(shown.stdout) : { told: wanted }).toMatchObject({ told: wanted })
    }
  })

  test('the overview counts the same, and is silent only if all are told whole', async () => {
    const listed = await parts()
    const counts = { cut: 0, name: 0, no: 0 }
    for (const [index, name] of names.entries()) {
      if (isKept(index, agent) || (isNameOnly(index, agent) && listed.has(name))) continue
      const part = listed.get(name)?.told ?? 'no'
      if (part !== 'whole') counts[part]++
    }
    const { stdout } = await run()
    const [, all, said = ''] =
      /^([\d,]+) of [\d,]+ skills? (?:is|are) not told to the model whole: (.*)$/m.exec(stdout) ?? []
    const sum = counts.cut + counts.name + counts.no
    expect(all).toBe(sum === 0 ? undefined : sum.toLocaleString('en'))
    for (const [words, number] of [
      ['cut', counts.cut],
      ['by name only', counts.name],
      ['left out', counts.no],
    ] as const)
      expect(said.includes(words) ? (new RegExp(`(\\d+) ${words}`).exec(said) ?? [])[1] : '0').toBe(`${number}`)
  })

  test('the listing as JSON and the comparison of agents agree with it', async () => {
    const listed = await parts()
    const { entries, omitted } = (await json('listing')) as ListingJson
    for (const { name, shown, toldChars } of entries.filter(one => one.name.startsWith('gen-')))
      expect({ told: shown, chars: toldChars }).toEqual(listed.get(name))
    expect(omitted.filter(({ name }) => listed.has(name))).toEqual([])
    // Skills that the program brings along take room in the listing of standard, and are not compared.
    if (agent === 'standard') return
    const compared = JSON.parse((await runIn(['compat', '--for', agent, '--json'], at())).stdout) as {
      readonly skills: readonly {
        readonly name: string
        readonly agents: readonly [{ readonly told: string; readonly cause?: string; readonly toldChars?: number }]
      }[]
    }
    const found = new Map(compared.skills.map(({ name, agents }) => [name, agents[0]]))
    for (const [index, name] of names.entries()) {
      const { told, chars: read } = expected(agent, listed, name, index) as {
        readonly told: string
        readonly chars: number
      }
      const one = found.get(name)
      expect({ name, told: one?.told, chars: one?.toldChars }).toEqual({
        name,
        told,
        chars: told === 'cut' ? read : undefined,
      })
    }
  })
})
