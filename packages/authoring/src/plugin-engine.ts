import { createSkills, type Catalog, type Diagnostic, type PromptCommand } from '@skills/core'
import { pluginHooksOf } from '@skills/inspect/internal'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'
import { standard, type StandardOptions } from '@skills/distributions/standard'

/**
 * Runs `work` with a catalog of the published plugins only. The catalog has no skills of the user or of a project, so
 * that these can neither take a name from a plugin nor satisfy a plugin's requirement.
 */
export async function withPluginsAlone<T>(
  published: NonNullable<StandardOptions['published']>,
  signal: AbortSignal,
  work: (catalog: Catalog, reported: readonly Diagnostic[], hooks: readonly PromptCommand[]) => Promise<T>,
): Promise<T> {
  const own = temporaryRoot('skills-plugin-')
  const nowhere = own.path
  const reported: Diagnostic[] = []
  const skills = createSkills(
    standard({
      host: { cwd: nowhere, home: nowhere, env: {} },
      managed: { dirs: [] },
      builtin: false,
      bundled: false,
      activation: false,
      published,
      onDiagnostic: diagnostic => reported.push(diagnostic),
    }),
  )
  try {
    const catalog = await skills.catalog({ signal })
    // The catalog already reports hooks that cannot be read.
    const hooks = await pluginHooksOf(skills, signal)
    return await work(catalog, reported, hooks)
  } finally {
    await skills.close()
    removeTemporary(own)
  }
}
