// @ts-check
import { createSkills, processHost } from '@skills/core'
import { fileSource } from '@skills/files/source'

/** @typedef {import('@skills/core').Catalog} Catalog */

/**
 * Makes an engine over one folder of skills.
 * @param {string} root
 * @param {Partial<import('@skills/files/source').FileSourceOptions>} [options]
 */
export function engineOver(root, options = {}) {
  return createSkills({
    host: processHost(),
    onDiagnostic: () => {},
    plugins: [fileSource({ id: 'files', source: 'user', roots: () => ({ roots: [{ path: root }] }), ...options })],
  })
}

/**
 * Loads the catalog of a folder in a new engine.
 * @param {string} root
 * @param {Partial<import('@skills/files/source').FileSourceOptions>} [options]
 */
export async function coldCatalog(root, options) {
  const skills = engineOver(root, options)
  try {
    return await skills.catalog()
  } finally {
    await skills.close()
  }
}

/**
 * Returns lines for everything that two engines must agree about.
 * @param {Catalog} catalog
 */
export function summaryOf({ entries, errors, warnings }) {
  return [
    ...entries.map(
      ({ name, command }) => `${name}\t${command.description}\t${command.type === 'prompt' ? command.filePath : ''}`,
    ),
    ...[...errors, ...warnings].map(({ code, path = '', name = '' }) => `${code}\t${name}\t${path}`),
  ].toSorted()
}

/**
 * Returns the lines that only one of the two has, each with a sign.
 * @param {readonly string[]} ours
 * @param {readonly string[]} theirs
 */
export function difference(ours, theirs) {
  const [mine, other] = [new Set(ours), new Set(theirs)]
  return [
    ...ours.filter(line => !other.has(line)).map(line => `+ ${line}`),
    ...theirs.filter(line => !mine.has(line)).map(line => `- ${line}`),
  ]
}

/** @param {string} description */
export function skillText(description) {
  return `---\ndescription: ${description}\n---\nBody.\n`
}
