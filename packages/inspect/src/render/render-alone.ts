import { createSkills, type SkillsOptions } from '@skills/core'
import { Invoker, type InvokerOptions } from '@skills/invocation'
import { renderSkill, type RenderCall } from './render-skill.js'

/** Options of a distribution that a rendered text depends on. */
export interface RenderingDistribution extends SkillsOptions {
  readonly invoker: InvokerOptions
  readonly inline: { readonly trims?: RenderCall['trims'] | undefined }
}

/**
 * Returns the text that a model would get of the one skill that a distribution finds; empty if there is none. Commands
 * stay as written, and no permission is asked for.
 */
export async function renderAlone(distribution: RenderingDistribution, signal: AbortSignal): Promise<string> {
  const skills = createSkills(distribution)
  try {
    const entry = (await skills.catalog({ signal })).entries.find(({ command: { type } }) => type === 'prompt')
    if (entry?.command.type !== 'prompt') return ''
    const { text } = await renderSkill(
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
    return text
  } finally {
    await skills.close()
  }
}
