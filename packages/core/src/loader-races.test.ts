import fc from 'fast-check'
import { expect, test } from 'vitest'
import { engine, listing, settled, skill } from '../test/engine.js'
import { isAbortError, loadResult, type Catalog } from './index.js'

type Step =
  | { readonly act: 'change'; readonly source: number; readonly how: 'all' | 'paths' | 'source' }
  | { readonly act: 'load' | 'refresh'; readonly abortAfter: number | null }
  | { readonly act: 'wait'; readonly turns: number }

const how = fc.constantFrom('all' as const, 'paths' as const, 'source' as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('change' as const), source: fc.nat(1), how }),
  fc.record({ act: fc.constantFrom('load' as const, 'refresh' as const), abortAfter: fc.option(fc.nat(12)) }),
  fc.record({ act: fc.constant('wait' as const), turns: fc.nat(8) }),
)

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await (turn % 4 === 3 ? settled() : Promise.resolve())
}

test('events during loads never give a caller an older state than when it asked, and never make a load hang', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.array(fc.nat(9), { minLength: 1 }),
      async (steps, delays) => {
        const versions = [0, 0]
        const invalidates = [(): void => {}, (): void => {}]
        let asked = 0
        const delay = (): Promise<void> => turns(delays[asked++ % delays.length] ?? 0)
        const plugins = versions.map((_, at) => {
          let told = -1
          const tell = async () => {
            await delay()
            // From here on the source believes that its answer arrives.
            told = versions[at] ?? 0
            const result = loadResult({ commands: [skill(`source${at}`, { version: String(told) })] })
            await delay()
            return result
          }
          const { kind, id, setup } = listing(`s${at}`, tell, {
            refresh: () => (told === versions[at] ? undefined : tell()),
          })
          return {
            kind,
            id,
            setup: (ctx: Parameters<typeof setup>[0]) => ((invalidates[at] = () => ctx.invalidate()), setup(ctx)),
          }
        })
        const { skills, clock, diagnostics } = engine({ plugins })
        const checks: Promise<void>[] = []
        const check = async (
          loading: Promise<Catalog>,
          wanted: readonly number[],
          signal?: AbortSignal,
        ): Promise<void> => {
          const catalog = await loading.catch((error: unknown) => {
            if (signal?.aborted !== true || !isAbortError(error)) throw error
          })
          if (catalog === undefined) return
          wanted.forEach((version, at) =>
            expect(Number(catalog.get(`source${at}`)?.command.version)).toBeGreaterThanOrEqual(version),
          )
        }
        for (const one of steps) {
          if (one.act === 'wait') await turns(one.turns)
          else if (one.act === 'change') {
            versions[one.source] = (versions[one.source] ?? 0) + 1
            if (one.how === 'source') invalidates[one.source]?.()
            else skills.invalidate(one.how === 'all' ? undefined : ['/somewhere'])
            // A source can invalidate only once it is set up.
            if (one.how === 'source') skills.invalidate(['/somewhere'])
          } else {
            const controller = new AbortController()
            const options = { signal: controller.signal }
            const loading = one.act === 'load' ? skills.catalog(options) : skills.refresh(undefined, options)
            checks.push(check(loading, [...versions], controller.signal))
            const { abortAfter } = one
            if (abortAfter !== null) void turns(abortAfter).then(() => controller.abort())
          }
        }
        await Promise.all(checks)
        await check(skills.catalog(), versions)
        expect(diagnostics).toEqual([])
        expect(clock.pending).toBe(0)
        await skills.close()
      },
    ),
    { numRuns: 300 },
  )
})
