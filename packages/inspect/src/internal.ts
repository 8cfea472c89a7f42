/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export { checkPlace } from './check-place.js'
export { keyOf } from './lint-catalog.js'
export { countsOf } from './lint-files.js'
export { hasManifest, readPackageFile, type PackageFile } from './package-file.js'
export { placesOf } from './plugin-hooks.js'
export { replaceFile } from './replace-file.js'
export { walkForSkills } from './skill-walk.js'
export { TextPlaces } from './text-places.js'
