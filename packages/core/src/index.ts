export {
  Catalog,
  compareCatalogs,
  pathOf,
  type CatalogChange,
  type Incomplete,
  isDescribed,
  isHybrid,
  isModelVisible,
  isSlashVisible,
  isUserVisible,
  mayModelInvoke,
  mayUserInvoke,
} from './catalog.js'
export {
  soundFields,
  loadResult,
  type LoadParts,
  type LoadResult,
  type Note,
  type Place,
  type Source,
  type SourceCall,
} from './source.js'
export type {
  CallContext,
  CatalogEntry,
  CatalogView,
  Collision,
  Command,
  ContentBlock,
  FileIdentity,
  LoadedFrom,
  LocalCommand,
  LocalContext,
  LocalUiCommand,
  Override,
  PromptBody,
  PromptCommand,
  SourceName,
  UiContext,
  Words,
} from './command.js'
export type { Context, Contexts, Effort, ShellName, Shells } from './command-words.js'
export { createSkills, type SkillsOptions } from './create-skills.js'
export type { Engine, Skills, Gate, GateRules, Effect } from './provider.js'
export { withDeadline, processHost, systemClock, type Clock, type Host } from './host.js'
export { locationOf, type Diagnostic, type Severity } from './diagnostic.js'
export {
  abortError,
  errorCodes,
  isAbortError,
  messageOf,
  SkillsError,
  type ErrorCode,
  type ErrorCodes,
} from './error.js'
export {
  reasonsOf,
  type CommandRef,
  type ExplainAnswer,
  type Explanation,
  type Reason,
  type Status,
} from './explanation.js'
export type { EngineHooks, HookListener, LoadCounts } from './hook-bus.js'
export {
  defineKind,
  gateKind,
  rendererKind,
  sourceKind,
  type KindDefinition,
  defineProvider,
  type ProviderAnswer,
  type AnyProvider,
  type AskOptions,
  type Kind,
  type KindAccess,
  type KindMethods,
  type Plugin,
  type Provider,
  type ProviderKinds,
  type SetupContext,
} from './provider.js'
export { closestNames, compareCodeUnits, nameKey, shownName } from './name.js'
export { checkOptions, type OptionNames } from './options.js'
export type { MaybePromise } from './promise.js'
export { promptCommand, type PromptCommandParts } from './prompt-command.js'
export type { Renderer, View } from './renderer.js'
