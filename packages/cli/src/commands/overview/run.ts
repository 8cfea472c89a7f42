import { existsSync, readdirSync } from 'node:fs'
import { areSurelyTold, type UntoldSkills } from '@skills/host/internal'
import { catalogWith } from '@skills/inspect/internal'
import { exitCodes, type Io } from '../../io.js'
import { lookHere } from './here.js'
import { printOverview } from './text.js'
import { elsewhere } from '../../engine/elsewhere.js'
import { sayChanged } from '../../output/say-changed.js'
import { readingOnce } from '@skills/files/internal'
import { asAgentsHave, hostOf, withEngine } from '../../engine/engine.js'
import type { Catalog, Host } from '@skills/core'
import type { Engine } from '../../engine/engine-parts.js'
import type { Invocation } from '../../arguments/invocation.js'

/** `skills` without a command: prints the state of the skills, and what to do next. */
export async function run(invocation: Invocation, io: Io): Promise<number> {
  const { signal } = io
  // Few skills have room in a listing. Only if they do not, the engine is made as agents have it.
  let isAsAgents = hasMany(hostOf(invocation, io))
  const untoldIn = async (engine: Engine): Promise<UntoldSkills | undefined> => {
    if (await areSurelyTold(engine, { signal })) return undefined
    const { untoldSkills } = await import('./untold-skills.js')
    if (isAsAgents || engine.readingWith === undefined) return untoldSkills(engine, { signal })
    isAsAgents = true
    const full = await engine.readingWith(readingOnce)
    try {
      return await untoldSkills(full, { signal })
    } finally {
      await full.skills.close()
    }
  }
  return withEngine(
    invocation,
    io,
    async engine => {
      const catalog = inFiles(await engine.skills.catalog({ signal }))
      await sayChanged(catalog, engine, invocation, io)
      const here = await lookHere(engine.skills.host, catalog, signal)
      const other = await elsewhere(engine, invocation, io)
      printOverview(catalog, { here, elsewhere: other, untold: await untoldIn(engine) }, engine, invocation, io)
      return exitCodes.ok
    },
    async (host, configured) => ({
      ...(isAsAgents || configured.plugins !== undefined
        ? await asAgentsHave(host, configured)
        : { activation: false }),
      sharedReads: readingOnce,
    }),
  )
}

/** Number of skills from which on a listing is likely to have no room for all. */
const many = 30

/** Guesses from the usual folders whether there are many skills. It decides only in which order the work is done. */
function hasMany({ cwd, home }: Pick<Host, 'cwd' | 'home'>): boolean {
  const folders = [cwd, home].flatMap(base => ['.claude/skills', '.agents/skills'].map(name => `${base}/${name}`))
  let count = 0
  for (const folder of folders) {
    try {
      if (existsSync(folder)) count += readdirSync(folder).length
    } catch {
      // The engine reports a folder that cannot be read.
    }
  }
  return count > many
}

/** Returns the catalog without skills that the program brings along: the overview is about skills in files. */
function inFiles(catalog: Catalog): Catalog {
  const own = catalog.entries.filter(({ command }) => command.source !== 'bundled')
  return own.length === catalog.entries.length ? catalog : catalogWith(catalog, own)
}
