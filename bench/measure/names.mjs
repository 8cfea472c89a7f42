// Builds catalogs of more and more names, and looks names up. Prints ms for a thousand names, and ns for a lookup.
import { createSkills, loadResult } from '@skills/core'

const results = []
for (const count of [1_000, 10_000, 100_000, 1_000, 10_000, 100_000]) {
  const commands = Array.from({ length: count }, (_, at) => ({
    type: 'prompt',
    name: `skill-${at}`,
    displayName: `skill-${at}`,
    aliases: [],
    description: 'd',
    hasUserSpecifiedDescription: true,
    source: 'user',
    loadedFrom: 'skills',
    userInvocable: true,
    isHidden: false,
    argumentNames: [],
    contentLength: 0,
    allowedTools: [],
    disallowedTools: [],
    context: 'inline',
    paths: [],
    shell: 'bash',
    requires: [],
    disableModelInvocation: false,
    isSkill: true,
    progressMessage: 'loading',
    metadata: {},
    isEnabled: () => true,
    load: () => ({ template: '' }),
  }))
  const skills = createSkills({
    plugins: [{ kind: 'source', id: 'names', setup: () => ({ source: 'user', list: () => loadResult({ commands }) }) }],
    onDiagnostic: () => {},
  })
  const start = performance.now()
  const catalog = await skills.catalog()
  const buildMs = performance.now() - start
  // The same number of different names in each catalog: otherwise the processor's caches would decide the result.
  const names = Array.from({ length: 500 }, (_, at) => `skill-${(at * 7919) % count}`)
  const begin = performance.now()
  for (let at = 0; at < 10_000; at++) catalog.get(names[at % names.length])
  results.push({
    count,
    msPerThousand: (buildMs / count) * 1000,
    nsPerLookup: ((performance.now() - begin) / 10_000) * 1e6,
  })
  await skills.close()
}
// The first round warms up the code.
console.log(JSON.stringify({ results: results.slice(3) }))
