import { activeOnes, allOnes, type Listed } from '@skills/inspect/internal'
import { writeSkillsJson } from '@skills/ui/internal'
import { exitCodes, type Io } from '../../io.js'
import { proposal, UsageError } from '../../arguments/usage-error.js'
import { readingOnce } from '@skills/files/internal'
import { asAgentsHave, withEngine } from '../../engine/engine.js'
import type { Engine } from '../../engine/engine-parts.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills list`. See docs/reference/output.md, "List output". */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const isTold = invocation.has('--told')
  const printed = async (engine: Engine): Promise<number> => {
    const catalog = await engine.skills.catalog({ signal: io.signal })
    const everything = invocation.has('--all') ? allOnes(catalog) : activeOnes(catalog)
    const told = isTold ? await (await import('../../output/print.js')).toldOfList(engine, io.signal) : undefined
    const listed = ofSource(isTold ? everything.filter(isInFile) : everything, invocation.text('--source'), engine)
    if (invocation.json) {
      const { stdout } = io
      const printableJson = stdout.isTerminal ? (await import('../../output/print.js')).printableJson : undefined
      writeSkillsJson(listed, text => stdout.write(printableJson?.(text) ?? text), told?.jsonOf)
    } else {
      const { printList, sayChanged } = await import('../../output/print.js')
      printList(listed, told?.wordsOf, invocation, io)
      await sayChanged(catalog, engine, invocation, io)
    }
    if (
      io.stderr.isTerminal ||
      catalog.errors.length > 0 ||
      catalog.warnings.length > 0 ||
      engine.reported.length > 0
    ) {
      ;(await import('../../output/print.js')).printSummary(listed, catalog, engine, invocation, io)
    }
    return exitCodes.ok
  }
  return withEngine(invocation, io, printed, async (host, configured) => ({
    ...(isTold && (await asAgentsHave(host, configured))),
    sharedReads: readingOnce,
  }))
}

function ofSource(listed: readonly Listed[], source: string | undefined, { sources }: Engine): readonly Listed[] {
  if (source === undefined) return listed
  // `legacy` is in the precedence only for commands, whose sources have other names.
  const known = new Set([...sources.filter(one => one !== 'legacy'), ...listed.flatMap(one => one.source ?? [])])
  const hint = proposal(source, known) || ` There are ${[...known].join(', ')}.`
  if (!known.has(source)) throw new UsageError(`There is no source "${source}".${hint}`)
  return listed.filter(one => one.source === source)
}

/** True unless the program brings the skill along. */
function isInFile({ source }: Listed): boolean {
  return source !== 'bundled'
}
