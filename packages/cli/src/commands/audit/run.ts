import { shownName } from '@skills/core'
import { auditCatalog, auditLevels, reachesLevel } from '@skills/inspect'
import {
  joinAudits,
  pathsHere,
  pluginHooksOf,
  skillsHere,
  type AuditLevel,
  type AuditOptions,
  type CatalogAudit,
} from '@skills/inspect/internal'
import { auditJson, printAudit, printAudited } from './text.js'
import { exitCodes, type Io } from '../../io.js'
import { invokedName } from '../../arguments/invoked-name.js'
import { inQuotes, printableLine } from '../../output/printable.js'
import { ProgressLine } from '../../output/progress.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import { unknownSentence } from '../../output/unknown-name.js'
import { withEngine } from '../../engine/engine.js'
import type { Engine } from '../../engine/engine-parts.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'
import { engineFor } from '../../engine/engine-for.js'

/** `skills audit [NAME]`. See docs/reference/lint.md, "Audit". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const level = wantedLevel(invocation.text('--level'))
  const name = invokedName(invocation)
  const work = async (engine: Engine): Promise<number> => {
    const agents = agentsFor(engine, invocation)
    const result = name === '' ? await auditAll(engine, agents, io) : await auditOne(name, engine, agents, io)
    if (result === undefined) return exitCodes.failed
    if (invocation.json) writeJson(auditJson(result), io.stdout)
    else if (name === '') printAudit(result, invocation, io)
    else printAudited(result, invocation, io)
    if (result.skills.length === 0 && !invocation.has('--allow-empty')) {
      io.stderr.write(
        'skills: Nothing was audited: there is no skill here. Name a folder with --plugin-dir, or give --allow-empty.\n',
      )
      return exitCodes.failed
    }
    const reaching = result.skills.filter(one => reachesLevel(one.level, level))
    if (reaching.length === 0) return exitCodes.ok
    const who = reaching.length === 1 ? shownName(reaching[0]?.name ?? '') : `${reaching.length} skills`
    io.stderr.write(`skills: ${who} ${reaching.length === 1 ? 'reaches' : 'reach'} the level ${level}.\n`)
    return exitCodes.failed
  }
  return withEngine(invocation, io, work, undefined, name === '' ? undefined : engineFor(name, io))
}

function wantedLevel(given = 'high'): AuditLevel {
  const level = auditLevels.find(one => one === given)
  if (level === undefined)
    throw new UsageError(
      `There is no level "${given}".${proposal(given, auditLevels)} The levels are ${auditLevels.join(', ')}.`,
    )
  return level
}

/**
 * Returns what makes the agents that get the skills: those of the configuration, otherwise all known ones. Undefined if
 * a distribution is named, which then is the only one that counts.
 */
function agentsFor(
  { agents, distribution: { name } }: Engine,
  { distribution }: InvocationOf<typeof command>,
): AuditOptions['agents'] {
  if (distribution !== undefined || name !== 'standard') return undefined
  let rules: ReturnType<NonNullable<AuditOptions['agents']>> | undefined
  return () =>
    (rules ??= import('@skills/distributions/internal').then(async ({ embeddedRules }) =>
      embeddedRules(agents && ['standard', ...agents]),
    ))
}

async function auditAll(
  { skills, distribution: { shell: embedded } }: Engine,
  agents: AuditOptions['agents'],
  io: Io,
): Promise<CatalogAudit> {
  const { signal, stderr } = io
  const line = new ProgressLine(stderr)
  const onProgress = stderr.isTerminal
    ? (done: number, total: number) => line.show(`Looking at ${done} of ${total} skills …`)
    : undefined
  try {
    const catalog = await skills.catalog({ signal })
    const options = { signal, onProgress, embedded, agents }
    const own = await auditCatalog(catalog, { ...options, hooks: await pluginHooksOf(skills, signal) })
    const { pathsElsewhere } = await import('../../engine/elsewhere.js')
    // Folders of other agents often have one name, so each is loaded alone.
    const folders = [
      pathsHere(skillsHere(skills.host, catalog)),
      ...(await pathsElsewhere({ skills }, io)).map(path => [path]),
    ].filter(paths => paths.length > 0)
    if (folders.length === 0) return own
    const { withPluginsAlone } = await import('@skills/authoring')
    const { publishedBy } = await import('../../engine/named-folders.js')
    let all = own
    for (const paths of folders)
      all = await withPluginsAlone(publishedBy(paths, []), signal, async (found, _reported, hooks) =>
        joinAudits(all, await auditCatalog(found, { ...options, hooks })),
      )
    return all
  } finally {
    line.erase()
  }
}

/** Audits one skill. Returns undefined if there is nothing to audit; standard error says why. */
async function auditOne(
  name: string,
  { skills, distribution: { shell: embedded } }: Engine,
  agents: AuditOptions['agents'],
  { signal, stderr }: Io,
): Promise<CatalogAudit | undefined> {
  const catalog = await skills.catalog({ signal })
  const entry = catalog.lookup(name)
  if (entry?.command.type === 'prompt') return auditCatalog({ entries: [entry] }, { signal, embedded, agents })
  if (entry !== undefined) stderr.write(`skills: ${inQuotes(name)} is not a skill: it runs in the host.\n`)
  else {
    const explanation = await skills.explain(name, { signal })
    const [answer] = explanation.answers
    stderr.write(
      `skills: ${answer === undefined ? unknownSentence(explanation) : `${inQuotes(name)} cannot be invoked, so it can do nothing: ${printableLine(answer.chosenBy)}`}\n`,
    )
  }
  return undefined
}
