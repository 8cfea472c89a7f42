import { ownOf, unknownSkill } from '@skills/install/internal'
import { readLock, readManifest } from '@skills/install'
import { maskSecrets } from '@skills/state/secrets'
import { exitCodes, type Io } from '../../io.js'
import { inQuotes, printableLine } from '../../output/printable.js'
import { pinLabel, pinText } from '../../installing/plan-text.js'
import { shownPath } from '../../output/shown-path.js'
import { orFoundInstead } from '../../installing/found-instead.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills why NAME`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const [name = ''] = invocation.args
  return withInstall(invocation, io, context =>
    orFoundInstead(invocation, io, context, () => {
      const { place } = context
      const [lock, manifest] = [readLock(place.lock, place.home), readManifest(place.manifest)]
      const [locked, given] = [ownOf(lock, name), ownOf(manifest.skills, name)]
      // A person may have typed a secret into the manifest.
      const wanted = given && { ...given, source: maskSecrets(given.source) }
      if (locked === undefined && wanted === undefined)
        throw unknownSkill(name, Object.keys({ ...manifest.skills, ...lock }))
      if (locked === undefined) {
        const hint = 'skills.json lists it: skills update installs it.'
        io.stderr.write(`skills: No skill ${inQuotes(name)} is installed here. ${hint}\n`)
        return exitCodes.failed
      }
      const { files, ...rest } = locked
      if (invocation.json) writeJson({ name, wanted: wanted ?? null, ...rest, files }, io.stdout)
      else {
        const rows = [
          ['wanted from', wanted?.source ?? 'nowhere: it is in the lock alone'],
          ['found at', locked.path === '' ? 'its root' : locked.path],
          [pinLabel(locked).trim(), pinText(locked.resolved, locked.digest === '')],
          ['digest', locked.digest === '' ? 'none: it is linked' : locked.digest],
          ['lies in', `${shownPath(place.folder, io.cwd)}/${name}`],
          ['files', String(Object.keys(files).length)],
          [
            'agents',
            Object.entries(locked.agents)
              .map(([agent, how]) => `${agent} (${how})`)
              .join(', ') || 'those that read .agents/skills',
          ],
        ]
        io.stdout.write(
          `${printableLine(name)}\n${rows.map(([title = '', text = '']) => `  ${title.padEnd(12)} ${printableLine(text)}\n`).join('')}`,
        )
      }
      return exitCodes.ok
    }),
  )
}
