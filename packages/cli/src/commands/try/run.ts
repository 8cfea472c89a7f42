import { createSkills } from '@skills/core'
import { knownAgents } from '@skills/distributions/internal'
import { standard } from '@skills/distributions/standard'
import { renderSkill } from '@skills/inspect/internal'
import { fieldFindings, withOffered, type InstallContext, type OfferedSkill } from '@skills/install/internal'
import { Invoker } from '@skills/invocation'
import { memoryState } from '@skills/state'
import { again, quoted } from '../../engine/again.js'
import { asUsageError } from '../../arguments/usage-error.js'
import { exitCodes, type Io } from '../../io.js'
import { folded } from '../../output/folded.js'
import { offeredJson, printOffer } from '../../installing/offer-text.js'
import { printable, printableLine } from '../../output/printable.js'
import { withInstall } from '../../installing/install-context.js'
import { writeJson } from '../../output/write-json.js'
import type { InvocationOf } from '../../arguments/invocation.js'
import type { command } from './command.js'

/** `skills try SOURCE`. See docs/reference/install.md. */
export async function run(invocation: InvocationOf<typeof command>, io: Io): Promise<number> {
  const {
    args: [source = ''],
    texts,
    json,
  } = invocation
  // Nothing is installed, so neither scope counts.
  const anywhere = { ...invocation, has: () => false }
  return withInstall(
    anywhere,
    io,
    async context =>
      asUsageError(async () =>
        withOffered(source, texts('--skill'), context, async offer => {
          const [one, ...others] = offer.skills
          if (one === undefined || others.length > 0) return printOffer(offer, source, invocation, io)
          const shown = { ...offeredJson(one), fields: await fieldsOf(one, context), text: await textOf(one, context) }
          if (json) writeJson(shown, io.stdout)
          else {
            const next = again(`add ${quoted(source)} --skill ${quoted(one.name)}`, invocation, io)
            io.stdout.write(folded(summaryText(one, shown.fields, next), io.stdout, io))
            io.stdout.write(`\n${shown.text.trimEnd().split('\n').map(printable).join('\n')}\n`)
          }
          return exitCodes.ok
        }),
      ),
    { isQuiet: invocation.has('--quiet') },
  )
}

function summaryText(
  { name, description, powers: { findings } }: OfferedSkill,
  fields: readonly string[],
  next: string,
): string {
  const lines = findings.map(({ level, message }) => `  ${level}  ${printableLine(message)}`)
  return [
    `${printableLine(name)}  ${printableLine(description)}`,
    ...(lines.length === 0 ? ['It can do nothing by itself: it is text alone.'] : ['It can', ...lines]),
    ...fields.map(printableLine),
    `Install it: ${next}`,
    'A model would get this text. No command in it was run:',
    '',
  ].join('\n')
}

/** Returns the fields that agents ignore or read differently, one line each. */
async function fieldsOf({ folder }: OfferedSkill, { signal }: InstallContext): Promise<readonly string[]> {
  return (await fieldFindings([folder], knownAgents, signal)).get(folder) ?? []
}

/** Returns the text that a model would get. Commands stay as written, and only the skill's own files can be included. */
async function textOf({ folder }: OfferedSkill, { signal }: InstallContext): Promise<string> {
  const project = folder.slice(0, folder.indexOf('/.agents/skills/'))
  const distribution = standard({
    host: { cwd: project, home: `${project}/home`, env: {} },
    managed: { dirs: [] },
    state: memoryState(),
    onDiagnostic: () => undefined,
    builtin: false,
    bundled: false,
    activation: false,
  })
  const skills = createSkills(distribution)
  try {
    const entry = (await skills.catalog({ signal })).entries.find(({ command: { type } }) => type === 'prompt')
    if (entry?.command.type !== 'prompt') return ''
    const rendered = await renderSkill(
      { ...entry, command: entry.command },
      {
        skills,
        invoker: new Invoker(skills, distribution.invoker),
        args: '',
        signal,
        isShellOff: true,
        trims: distribution.inline.trims ?? 'blank-lines',
        ask: () => Promise.resolve(undefined),
      },
    )
    // The folder is gone when a person reads this.
    return rendered.text.replaceAll(`${project}/`, '')
  } finally {
    await skills.close()
  }
}
