/**
 * The build every published library of the workspace shares: ESM, types, nothing bundled that npm can install.
 * @param {Partial<import('tsup').Options>} [options] what one package does differently
 * @returns {import('tsup').Options}
 */
export function library(options = {}) {
  return { entry: ['src/index.ts'], format: 'esm', target: 'node20.19', platform: 'node', dts: true, clean: true, treeshake: true, ...options };
}
