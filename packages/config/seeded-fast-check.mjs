// Replaces fast-check in the tests (see vitest.config.ts), so that every property draws the same cases on every run.
// `npm run attack -- properties` draws new ones.
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env['SKILLS_TEST_SEED'] ?? 1) })

export * from 'fast-check'
export default fc
