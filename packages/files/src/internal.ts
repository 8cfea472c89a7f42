/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export { isInside } from '@skills/store'
export { escapeProblem, realPathOf, lstatOf, statOf, targetOf } from './real-path.js'
export { findPackage, isPackageName } from './find-package.js'
export { foldersOfMain, realFolders, type ProjectFolders, type ProjectReach } from './project-roots.js'
export { identityOf } from './file-identity.js'
export { parseJson } from './parse-json.js'
export { fieldPath, isJsonObject, type JsonFile } from './json-file.js'
export { placeOfJsonError, type JsonErrorPlace, type KeyPath } from './json-places.js'
export type { LocalStoreOptions } from './local-store.js'
export { mainCheckoutOf } from './main-checkout.js'
export { missingFolders } from './missing-folders.js'
export { pathInside } from './path-inside.js'
export { ioProblem, systemCode, unlessRefused } from './problem.js'
export type { ReadFileOptions, WholeFile } from './read-file.js'
export { userConfigurationPath } from './link-hint.js'
export { configurationNames, userConfigurationFolder } from './user-configuration.js'
export type { WantedFiles } from './selected-reads.js'
export { readingOnce, type FileReads, type SharedReadsOptions } from './shared-reads.js'
export type { SkillTreeState } from './skill-tree.js'
export { namedFiles, type NamedFilesPlace } from './named-files.js'
export { plainFolder, slashes } from './slashes.js'
export type { Stamp } from './stamp.js'
export type { FoundFile } from './tree-options.js'
export { isAlmostSkill } from './walk-problems.js'
export type { PathWatch, WatchPathsOptions } from './watch-options.js'
export { AskedFile, pathsUnder, realFolderOf, type PathPlace } from './path-rules/asked-file.js'
export { PathPattern, type PatternPlace, type PatternProblem } from './path-rules/path-pattern.js'
export type { AgentFolder } from './source/agent-folders.js'
export { hasName } from './source/reads-for-names.js'
export { localPlugins, marketplaceEntries, pluginPath } from './source/marketplace-entries.js'
export {
  isStandardManifest,
  pluginSchema,
  serversSchema,
  standardManifest,
  standardServers,
  standardVersion,
} from './source/standard-plugin.js'
export { skillFoldersIn, type FolderNames } from './source/skill-folders-in.js'
export type { SkillsWatch, WatchSkillsOptions } from './source/watch-options.js'
