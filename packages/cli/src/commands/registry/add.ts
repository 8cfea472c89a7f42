import { isRefused } from '@skills/install/internal'
import { ingest, type Ingested } from '@skills/registry/internal'
import { withInstall } from '../../installing/install-context.js'
import { exitCodes } from '../../io.js'
import { counted } from '../../output/problems.js'
import { writeJson } from '../../output/write-json.js'
import { asUsageError, UsageError } from '../../arguments/usage-error.js'
import { refusedText } from './versions-text.js'
import type { Call } from './call.js'

/** Publishes the skills of sources. */
export async function add({ registry, args, invocation, io }: Call): Promise<number> {
  const { text, texts } = invocation
  const namespace = text('--namespace')
  if (namespace === undefined) throw new UsageError('Name the namespace in which to publish: --namespace NAME.')
  const results = await withInstall(
    { ...invocation, has: () => false },
    io,
    async context => {
      const all: (Ingested & { readonly source: string })[] = []
      for (const source of args)
        try {
          const options = { namespace, skills: texts('--skill'), label: text('--label') }
          all.push({ source, ...(await asUsageError(async () => ingest(registry, source, options, context))) })
        } catch (error) {
          // A source that cannot be read stops no other.
          if (!isRefused(error) || args.length === 1) throw error
          all.push({ source, published: [], unchanged: 0, refused: [{ name: source, path: '', error }] })
        }
      return all
    },
    { isQuiet: invocation.has('--quiet') },
  )
  const refused = results.flatMap(one => one.refused)
  const published = results.flatMap(one => one.published)
  const unchanged = results.reduce((sum, one) => sum + one.unchanged, 0)
  if (invocation.json)
    writeJson(
      {
        published,
        unchanged,
        refused: refused.map(({ name, path, error }) => ({ name, path, message: error.message })),
      },
      io.stdout,
    )
  else
    io.stdout.write(
      `${counted(published.length, 'skill')} published, ${unchanged} unchanged, ${refused.length} refused\n`,
    )
  io.stderr.write(refusedText(refused))
  return refused.length === 0 ? exitCodes.ok : exitCodes.failed
}
