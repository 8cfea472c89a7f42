// @ts-check

/** @param {string} folder of a case */
export function hostOf(folder) {
  return { cwd: `${folder}/work`, home: `${folder}/home`, env: { PATH: process.env['PATH'] } }
}

/** @param {string} folder */
export function settingsOf(folder) {
  return { path: `${folder}/settings/s.json`, source: 'userSettings' }
}

/**
 * Returns the files that a program ships, in one version.
 * @param {string} version
 */
export function bundledFiles(version) {
  return Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`part-${at}/file.md`, `Version ${version}. ${'x'.repeat(at * 2000)}`]),
  )
}
