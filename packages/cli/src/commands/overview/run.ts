import { exitCodes, type Io } from '../../io.js'
import { lookHere } from './here.js'
import { printOverview } from './text.js'
import { sayChanged } from '../../output/say-changed.js'
import { withEngine } from '../../engine/engine.js'
import type { Invocation } from '../../arguments/invocation.js'

/** `skills` without a command: prints the state of the skills, and what to do next. */
export async function run(invocation: Invocation, io: Io): Promise<number> {
  return withEngine(invocation, io, async engine => {
    const { signal } = io
    const catalog = await engine.skills.catalog({ signal })
    await sayChanged(catalog, engine, invocation, io)
    printOverview(catalog, await lookHere(engine.skills.host.cwd, catalog, signal), engine, invocation, io)
    return exitCodes.ok
  })
}
