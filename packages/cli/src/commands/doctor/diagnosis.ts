import { existsSync } from 'node:fs'
import { findProjectFolders } from '@skills/files'
import { isAlmostSkill, isInside } from '@skills/files/internal'
import { untoldSkills } from '@skills/host/internal'
import { lintCatalog, lintFiles } from '@skills/inspect'
import { applyPlaceRepair, folderRepairOf, placeRepairOf } from '@skills/inspect/internal'
import { verify } from '@skills/install'
import { installPlace } from '@skills/install/internal'
import { again } from '../../engine/again.js'
import { untoldSentence } from '../overview/untold-text.js'
import { elsewhereText, foldersElsewhere } from '../../engine/elsewhere.js'
import type { Diagnostic } from '@skills/core'
import type { PlaceRepair } from '@skills/inspect/internal'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Kinds of harm, the worst first. */
export const harms = {
  skills: 'Skills that are not read',
  agents: 'Agents that do not see what is installed for them',
  places: 'Folders that are not searched here',
  untold: 'Skills that the model is not told of',
  settings: 'Settings that do not count',
  texts: 'Skills that are repaired each time they are read',
  machine: 'Programs',
} as const

export type Harm = keyof typeof harms

/** One thing that is wrong, and how it is mended. */
export interface Finding {
  readonly harm: Harm
  readonly diagnostic: Diagnostic
  /** Repair that `--fix` makes; `text` rewrites the file. Undefined if a person has to decide. */
  readonly repair?: PlaceRepair | { readonly how: 'text'; readonly path: string } | undefined
}

/**
 * Finds out what is wrong with the skills of an engine, worst first. All findings come from the functions that the
 * overview, `lint` and `verify` use.
 */
export async function diagnose(engine: Engine, invocation: Invocation, io: Io): Promise<readonly Finding[]> {
  const { skills, reported, misconfigured } = engine
  const { signal } = io
  const catalog = await skills.catalog({ signal })
  const { files, others } = await lintCatalog(catalog, { reported, fields: { words: skills.words }, signal })
  const found: Finding[] = []
  for (const one of others) if (one.severity !== 'info') found.push(await placeFinding(one, misconfigured))
  for (const { path, diagnostics, isRepairable } of files) {
    const repair = isRepairable ? ({ how: 'text', path } as const) : undefined
    const places = diagnostics.filter(one => one.code === 'other-case' || isAlmostSkill(one))
    for (const one of places) {
      const finding = await placeFinding(one, misconfigured)
      // Such a file is read here, and renaming it helps other tools.
      found.push(one.code === 'other-case' ? { ...finding, harm: 'texts' } : finding)
    }
    const errors = diagnostics.filter(one => one.severity === 'error' && !places.includes(one))
    for (const one of errors) found.push({ harm: 'skills', diagnostic: one, repair })
    const warnings = diagnostics.filter(one => one.severity === 'warning' && !places.includes(one))
    // Only repairs of how a text is written concern the reader.
    const first = warnings.find(({ code, type }) => code === 'misspelt-field' || type === 'parse') ?? warnings[0]
    if (repair !== undefined && errors.length === 0 && first !== undefined)
      found.push({ harm: 'texts', diagnostic: first, repair })
  }
  for (const folder of await foldersElsewhere(engine, io))
    found.push({
      harm: 'places',
      diagnostic: elsewhereText(folder, engine, invocation, io),
      repair: folderRepairOf(folder),
    })
  found.push(...(await unseen(engine, io)), ...(await untold(engine, invocation, io)), ...programs())
  const order = Object.keys(harms)
  return found.toSorted((a, b) => order.indexOf(a.harm) - order.indexOf(b.harm) || rank(a) - rank(b))
}

async function placeFinding(diagnostic: Diagnostic, misconfigured: readonly Diagnostic[]): Promise<Finding> {
  const isSetting = misconfigured.some(
    ({ code, path, message }) => code === diagnostic.code && path === diagnostic.path && message === diagnostic.message,
  )
  return { harm: isSetting ? 'settings' : 'skills', diagnostic, repair: await placeRepairOf(diagnostic) }
}

const rank = ({ diagnostic: { severity } }: Finding): number => ['error', 'warning', 'info'].indexOf(severity)

/** Compares what is installed, for the project and for the user, with the disk and with what the agents find. */
async function unseen({ skills: { host } }: Engine, { signal }: Io): Promise<readonly Finding[]> {
  const found: Finding[] = []
  for (const scope of ['project', 'user'] as const) {
    const place = installPlace(host, scope)
    if (!existsSync(place.manifest) && !existsSync(place.lock)) continue
    for (const { message, path, kind, skill } of await verify({ place, host, signal }))
      found.push({
        harm: 'agents',
        diagnostic: {
          severity: 'error',
          type: 'validation',
          code: 'not-as-locked',
          path: `${place.root}/${path}`,
          message: `${message}.`,
          hint:
            kind === 'unseen'
              ? `See what would change that: skills compat ${skill}`
              : `To put it in order: skills sync${scope === 'user' ? ' --user' : ''}`,
        },
      })
  }
  return found
}

async function untold(engine: Engine, invocation: Invocation, io: Io): Promise<readonly Finding[]> {
  const found = await untoldSkills(engine, { signal: io.signal })
  if (found === undefined) return []
  return [
    {
      harm: 'untold',
      diagnostic: {
        severity: 'warning',
        type: 'source',
        code: 'untold-skills',
        message: `${untoldSentence(found)}.`,
        hint: `Shorten descriptions. What each skill gets: ${again('listing --costs', invocation, io)}`,
      },
    },
  ]
}

/** Oldest Node that this program supports. */
const oldestNode = [20, 19] as const

function programs(): readonly Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return []
  return [
    {
      harm: 'machine',
      diagnostic: {
        severity: 'error',
        type: 'source',
        code: 'old-node',
        message: `This is Node ${process.versions.node}, and ${oldestNode.join('.')} or newer is needed.`,
        hint: 'Install a newer Node.',
      },
    },
  ]
}

/** Result of a repair that was tried. */
export interface Mended {
  readonly finding: Finding
  /** Reason why nothing was changed. */
  readonly failure?: string | undefined
}

/**
 * Makes the repairs of findings in the project, and with `--user` in the home folder too. Changes nothing elsewhere.
 * @param withUser true if the user's own skills are mended too
 */
export async function mend(
  findings: readonly Finding[],
  withUser: boolean,
  { skills }: Engine,
  { signal }: Io,
): Promise<readonly Mended[]> {
  const { host } = skills
  const { top } = findProjectFolders(host)
  const topOf = (path: string): string | undefined => {
    if (isInside(path, top) && top !== host.home) return top
    return withUser && isInside(path, host.home) ? host.home : undefined
  }
  const done: Mended[] = []
  for (const finding of findings) {
    const { repair } = finding
    if (repair === undefined) continue
    const at = repair.how === 'text' ? repair.path : repair.to
    const within = topOf(at)
    if (within === undefined)
      done.push({ finding, failure: withUser ? `${at} lies elsewhere.` : `${at} is not in the project: add --user.` })
    else if (repair.how !== 'text') done.push({ finding, failure: applyPlaceRepair(repair, within) })
    else {
      const linted = await lintFiles([repair.path], { fix: true, fields: { words: skills.words }, signal })
      const failure = linted.files[0]?.diagnostics.find(({ code }) => code === 'not-repaired')?.message
      done.push({ finding, failure })
    }
  }
  return done
}
