import { SkillsError, type Catalog } from '@skills/core'
import { readWholeFile } from '@skills/files'
import { explainedUnder } from '@skills/host/internal'
import { lookAtFolder } from '@skills/inspect/internal'
import { mostGivenFiles, type GivenJson, type GivenSkill, type PageQuestion } from '../api.js'
import { shownWindow, type ShownEngine } from './shown-engine.js'

/**
 * Says for each skill of a folder whether it loads, what is wrong with it, and whether the page shows a skill of its
 * name. The files are looked at in memory; nothing is written.
 */
export async function givenIn(
  engine: ShownEngine,
  catalog: Catalog,
  { files }: PageQuestion<'given'>,
  signal: AbortSignal,
): Promise<GivenJson> {
  if (files.length > mostGivenFiles)
    throw new SkillsError(
      'E_INVALID_OPTION',
      `The folder has more than ${mostGivenFiles} files: choose the skill's folder.`,
    )
  const wrong = files.find(
    ({ path }) => path.split('/').some(part => ['', '.', '..'].includes(part)) || /[\0\\]/.test(path),
  )
  if (wrong !== undefined)
    throw new SkillsError('E_INVALID_OPTION', 'A file of the folder has a path that leads out of it.')
  const read = files.map(({ path, bytes }) => ({
    path,
    bytes: bytes === undefined ? undefined : Buffer.from(bytes, 'base64'),
  }))
  const { host, words } = engine.skills
  const folder = await lookAtFolder(read, { host, words, signal })
  const skills: GivenSkill[] = []
  for (const skill of folder.skills)
    skills.push({
      ...skill,
      here: await hereOf(engine, skill.name, read.find(({ path }) => path === skill.path)?.bytes, signal),
    })
  const { cwd } = host
  return {
    skills,
    others: folder.others,
    places: catalog.places
      .filter(({ provider }) => provider === 'project' || provider === 'user')
      .map(({ path }) => path)
      .toSorted((one, other) => Number(other.startsWith(cwd)) - Number(one.startsWith(cwd))),
  }
}

/** Returns the skill of a name that the page shows, with the reason why the model is or is not told of it. */
async function hereOf(
  engine: ShownEngine,
  name: string,
  bytes: Buffer | undefined,
  signal: AbortSignal,
): Promise<GivenSkill['here']> {
  const explanation = await engine.skills.explain(name, { signal })
  const { answers } = await explainedUnder(engine, explanation, { contextWindow: shownWindow, signal })
  const [first] = answers
  if (first === undefined) return null
  const file = first.path === undefined ? undefined : await readWholeFile(first.path, { signal })
  return {
    state: first.status,
    source: first.source ?? null,
    path: first.path ?? null,
    isListed: first.isListed,
    why: [first.chosenBy, ...first.notListedBecause.map(({ text }) => text)].join(' '),
    isSame: file !== undefined && 'bytes' in file && bytes !== undefined && file.bytes.equals(bytes),
  }
}
